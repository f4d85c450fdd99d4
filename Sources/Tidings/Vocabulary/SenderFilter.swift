/// The sender to which an observer is limited, if it is: what a center compares the sender of each post with.
///
/// An object is held weakly. Only who writes a center meets this type; a center that forwards passes it on.
@safe
public struct SenderFilter<Sender>: @unchecked Sendable {
    // A plain notification's filter is only made of a `Sendable` sender; that of a main-actor notification is only looked at on
    // the main actor.
    package enum Target {
        case everyone
        /// An object, by identity.
        case object(WeakSender)
        /// A value whose static type says how it is compared.
        case value(Sender, hash: Int)
        /// A value that was found out about at run time.
        case key(AnyHashable)
        /// A value that can be compared with no other.
        case unmatched(Sender)
    }

    package struct WeakSender {
        package weak let object: AnyObject?
        package let identity: ObjectIdentifier
        package let type: Any.Type
    }

    package let target: Target
    package let comparison: SenderComparison<Sender>

    private init(_ sender: Sender?, _ comparison: SenderComparison<Sender>) {
        self.comparison = comparison
        guard let sender, comparison.kind != .none else {
            target = .everyone
            return
        }
        if comparison.kind == .equality {
            target = .value(sender, hash: comparison.hash(sender))
            return
        }
        switch SenderKey(of: sender) {
        case .none: target = .everyone
        case .object(let object):
            target = .object(WeakSender(object: object, identity: ObjectIdentifier(object), type: type(of: object)))
        case .value(let value): target = .key(value)
        case .unmatched: target = .unmatched(sender)
        }
    }

    /// Limits observers of a notification type to a sender.
    ///
    /// Posters compare the sender, and look whether it is alive, on any thread: so it is `Sendable`.
    ///
    /// - Parameters:
    ///   - sender: The sender; `nil` for every sender.
    ///   - type: The notification type.
    public init<N: TypedNotification>(_ sender: Sender?, of type: N.Type) where N.Sender == Sender, Sender: Sendable {
        self.init(sender, N.senderComparison)
    }

    /// Limits observers of a main-actor notification type to a sender, which only the main actor looks at.
    @MainActor
    package init<N: MainActorNotification>(_ sender: Sender?, ofMainActor type: N.Type) where N.Sender == Sender {
        self.init(sender, N.senderComparison)
    }

    /// Limits observers to a sender that the caller knows to be one that any thread may look at.
    @usableFromInline
    package init(unchecked sender: Sender?, _ comparison: SenderComparison<Sender>) {
        self.init(sender, comparison)
    }

    /// Every sender.
    public static var everyone: SenderFilter { SenderFilter(nil, .atRunTime) }

    /// Whether observers are limited to a sender.
    public var isLimited: Bool { if case .everyone = target { false } else { true } }

    /// Whether the sender can still post; false once it was an object that is gone.
    public var isAlive: Bool { if case .object(let sender) = target { sender.object != nil } else { true } }

    /// The sender, if it is alive.
    package var sender: Sender? {
        switch target {
        case .everyone: nil
        case .object(let sender): sender.object as? Sender
        case .value(let sender, _), .unmatched(let sender): sender
        case .key(let sender): sender.base as? Sender
        }
    }

    /// The same limit for a center that does not know the type of the sender.
    package var erased: SenderFilter<Any?> { SenderFilter<Any?>(unchecked: sender.map { $0 }, .atRunTime) }

    /// Whether a post from a sender reaches the observer.
    ///
    /// - Parameter sender: The sender of the post.
    /// - Returns: Whether it is the one, or the observer is not limited.
    public func accepts(_ sender: Sender) -> Bool {
        switch target {
        case .everyone: return true
        case .value(let mine, _): return comparison.areEqual(mine, sender)
        case .object(let mine):
            guard let object = mine.object, case .object(let other) = SenderKey(of: sender) else { return false }
            return object === other
        case .key(let mine): return SenderKey.value(mine).isSame(as: SenderKey(of: sender))
        case .unmatched: return false
        }
    }
}
