/// How the senders of a channel are told apart: settled once, by the static type.
@usableFromInline
package enum SenderRule<Sender>: @unchecked Sendable {  // closures without captures
    /// There is no sender.
    case none

    /// Objects, by identity.
    case identity

    /// Values, by the user's `hash(into:)` and `==`.
    case equality(hash: (Sender) -> Int, areEqual: (Sender, Sender) -> Bool)

    /// Whatever each value turns out to be: the type is an existential, an optional, or unknown to the generic type that
    /// declares the sender.
    case dynamic

    /// The rule for a type of which nothing is known but what the runtime says.
    @usableFromInline
    package static var atRunTime: SenderRule {
        Sender.self == Void.self ? .none : Sender.self is AnyObject.Type ? .identity : .dynamic
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
