/// How the senders of a channel are told apart: settled once, by the static type.
@safe
@usableFromInline
package struct SenderRule<Sender>: @unchecked Sendable {  // closures without captures
    @usableFromInline
    package enum Kind: UInt8, Sendable {
        /// There is no sender.
        case none
        /// Objects, by identity.
        case identity
        /// Values, by equality.
        case equality
        /// Whatever each value turns out to be: the type is an existential, an optional, or unknown to the generic type that
        /// declares the sender.
        case dynamic
    }

    @usableFromInline package let kind: Kind

    /// The user's `hash(into:)` and `==`; used if the kind is equality.
    @usableFromInline package let hash: (Sender) -> Int
    @usableFromInline package let areEqual: (Sender, Sender) -> Bool

    @usableFromInline
    package init(
        _ kind: Kind, hash: @escaping (Sender) -> Int = { _ in 0 },
        areEqual: @escaping (Sender, Sender) -> Bool = { _, _ in false }
    ) {
        self.kind = kind
        self.hash = hash
        self.areEqual = areEqual
    }

    /// What a post from a sender looks for, by this rule.
    func key(of sender: Sender) -> SenderKey {
        switch kind {
        case .none: .none
        case .identity: .object(sender as AnyObject)
        // Told apart by the rule; the key only says that there is something to tell apart.
        case .equality: .unmatched(Sender.self)
        case .dynamic: SenderKey(of: sender)
        }
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
