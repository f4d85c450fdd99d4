/// A sender whose static type does not say what it is: a member of an existential, or what an optional wraps.
///
/// The kind is found out for each value, by casts that cost a few hundred nanoseconds. ``SenderComparison`` needs it only for
/// types that leave it open.
@usableFromInline
package enum SenderKey: @unchecked Sendable {  // an object is only compared by identity, a value was `Sendable`
    /// No sender: `Void` or `nil`.
    case none
    /// An object, by identity.
    case object(AnyObject)
    /// A value, by its type and by equality.
    case value(AnyHashable)
    /// Neither an object nor a `Hashable` value: the same as no other.
    case unmatched(Any.Type)

    /// Looks at a value, unwrapping optionals first.
    @usableFromInline
    package init(of sender: Any) {
        if let optional = sender as? any OptionalSender {
            self = optional.wrappedSender.map { SenderKey(of: $0) } ?? .none
        } else if sender is Void {
            self = .none
        } else if type(of: sender) is AnyObject.Type {
            self = .object(sender as AnyObject)
        } else if let value = sender as? any Hashable {
            // The runtime does not find a conformance that belongs to a global actor anywhere but on that actor.
            self = .value(AnyHashable(value))
        } else {
            self = .unmatched(type(of: sender))
        }
    }

    /// Whether another sender is the same one.
    ///
    /// Numbers of different types are different values: `AnyHashable` alone would have `1` equal `1.0`.
    package func isSame(as other: SenderKey) -> Bool {
        switch (self, other) {
        case (.object(let mine), .object(let other)): mine === other
        case (.value(let mine), .value(let other)): type(of: mine.base) == type(of: other.base) && mine == other
        default: false
        }
    }

    /// The type of a value that is compared by equality, or cannot be compared.
    package var valueType: Any.Type? {
        switch self {
        case .none, .object: nil
        case .value(let value): type(of: value.base)
        case .unmatched(let type): type
        }
    }
}

/// An optional of whatever type, so that it can be unwrapped at run time.
@usableFromInline
protocol OptionalSender {
    var wrappedSender: Any? { get }
}

extension Optional: OptionalSender {
    @usableFromInline var wrappedSender: Any? { self }
}
