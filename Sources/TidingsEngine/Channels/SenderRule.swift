/// The rule that distinguishes the senders of a channel. It depends on their static type.
@usableFromInline
package enum SenderRule<Sender>: @unchecked Sendable {  // closures without captures
    case none

    case identity

    case equality(hash: (Sender) -> Int, areEqual: (Sender, Sender) -> Bool)

    /// The static type is an existential, an optional or a generic parameter, so each sender is examined at run time.
    case dynamic(key: (Sender) -> SenderKey)

    @usableFromInline
    package static var atRunTime: SenderRule {
        if Sender.self == Void.self { return .none }
        return Sender.self is AnyObject.Type ? .identity : .dynamic(key: { SenderKey(of: $0) })
    }
}

/// A sender that isn't an object, and to which an entry is limited.
@usableFromInline
package indirect enum SenderTarget<Sender>: @unchecked Sendable {  // a value, as in `SenderKey`, and a rule's closure
    case value(Sender, hash: Int, areEqual: (Sender, Sender) -> Bool)
    case key(AnyHashable)
    case unmatched(Any.Type)
}

/// A sender whose kind isn't determined by its static type, such as an existential. The casts that determine the kind
/// of a value take a few hundred nanoseconds.
@usableFromInline
// An object is only compared by identity. A value is `Sendable`, was passed as `sending`, or stays on the main actor.
package enum SenderKey: @unchecked Sendable {
    case none
    case object(AnyObject)
    case value(AnyHashable)
    case unmatched(Any.Type)

    @usableFromInline
    package init(of sender: Any) {
        // The cheapest checks come first.
        if let object = instance(in: sender) {
            self = .object(object)
        } else if let optional = sender as? any OptionalValue {
            self = optional.wrapped.map { SenderKey(of: $0) } ?? .none
        } else if sender is Void {
            self = .none
        } else if type(of: sender) is AnyObject.Type {
            // An object that generic code has wrapped in another existential. For an `any Error`, `as AnyObject` would
            // return the error's box.
            self = .object((sender as? any Error).flatMap { instance(in: $0) } ?? sender as AnyObject)
        } else if let value = sender as? any Hashable {
            // A conformance that is isolated to a global actor is only found by code that runs on that actor.
            self = .value(AnyHashable(value))
        } else {
            self = .unmatched(type(of: sender))
        }
    }

    package func isSame(as other: SenderKey) -> Bool {
        switch (self, other) {
        case (.object(let mine), .object(let other)): mine === other
        case (.value(let mine), .value(let other)): mine.isSame(as: other)
        default: false
        }
    }
}

extension AnyHashable {
    /// `AnyHashable` treats 1 and 1.0 as equal, so the types are compared as well.
    func isSame(as other: AnyHashable) -> Bool { type(of: base) == type(of: other.base) && self == other }
}

/// Returns the value as an object; `nil` if its type isn't a class. A cast would take hundreds of nanoseconds.
private func instance<Value>(in value: Value) -> AnyObject? {
    if !(Value.self is AnyObject.Type) { return nil }
    // The type is a class, so the value is one reference.
    return unsafe unsafeBitCast(value, to: AnyObject.self)
}

@usableFromInline
package protocol OptionalValue: ExpressibleByNilLiteral {
    associatedtype Wrapped
    init(_ wrapped: Wrapped)

    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    @usableFromInline package var wrapped: Any? { self }
}
