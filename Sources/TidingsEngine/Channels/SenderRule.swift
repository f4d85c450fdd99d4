/// How the senders of a channel are told apart: settled once, by the static type.
@usableFromInline
package enum SenderRule<Sender>: @unchecked Sendable {  // closures without captures
    /// There is no sender.
    case none

    /// Objects, by identity.
    case identity

    /// Values, by the user's `hash(into:)` and `==`.
    case equality(hash: (Sender) -> Int, areEqual: (Sender, Sender) -> Bool)

    /// By what each value is found to be at run time: the type is an existential, an optional, or unknown to the generic type
    /// that declares the sender.
    case dynamic(key: (Sender) -> SenderKey)

    /// The rule for a type of which nothing is known but what the runtime says.
    @usableFromInline
    package static var atRunTime: SenderRule {
        if Sender.self == Void.self { return .none }
        return Sender.self is AnyObject.Type ? .identity : .dynamic(key: { SenderKey(of: $0) })
    }
}

/// The sender to which an entry is limited.
@usableFromInline
package enum SenderTarget<Sender>: @unchecked Sendable {  // handed from a registration to a roster
    case everyone
    /// An object, by identity.
    case object(AnyObject)
    /// A value, by the rule's equality, and its hash.
    case value(Sender, hash: Int)
    /// A value that was found out about at run time.
    case key(AnyHashable)
    /// A value that can be compared with no other.
    case unmatched(Any.Type)
}

/// A sender whose static type does not say what it is: a member of an existential, or what an optional wraps.
///
/// The kind is found out for each value, by casts that cost a few hundred nanoseconds: only the rule
/// ``SenderRule/dynamic`` needs it.
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
        // What costs the least to find out comes first.
        if let object = instance(in: sender) {
            self = .object(object)
        } else if let optional = sender as? any OptionalValue {
            self = optional.wrapped.map { SenderKey(of: $0) } ?? .none
        } else if sender is Void {
            self = .none
        } else if type(of: sender) is AnyObject.Type {
            // An object in one existential more, as generic code wraps it.
            self = .object(sender as AnyObject)
        } else if let value = sender as? any Hashable {
            // The runtime does not find a conformance that belongs to a global actor anywhere but on that actor.
            self = .value(AnyHashable(value))
        } else {
            self = .unmatched(type(of: sender))
        }
    }

    /// Whether another sender is the same one.
    package func isSame(as other: SenderKey) -> Bool {
        switch (self, other) {
        case (.object(let mine), .object(let other)): mine === other
        case (.value(let mine), .value(let other)): mine.isSame(as: other)
        default: false
        }
    }
}

extension AnyHashable {
    /// Whether both are of one type, and equal. `AnyHashable` alone has the number 1 of every type equal that of any other.
    func isSame(as other: AnyHashable) -> Bool { type(of: base) == type(of: other.base) && self == other }
}

/// The object that a value is, by its type; `nil` for other values. A cast would take the runtime hundreds of nanoseconds.
private func instance<Value>(in value: Value) -> AnyObject? {
    if !(Value.self is AnyObject.Type) { return nil }
    // The value is of a class, so it is one reference.
    return unsafe unsafeBitCast(value, to: AnyObject.self)
}

/// An optional of any type, so that it can be unwrapped, and made, at run time.
@usableFromInline
package protocol OptionalValue: ExpressibleByNilLiteral {
    associatedtype Wrapped
    init(_ wrapped: Wrapped)

    /// The value inside; `nil` if there is none.
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    @usableFromInline package var wrapped: Any? { self }
}
