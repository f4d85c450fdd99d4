/// How the senders of a notification type are told apart.
///
/// The compiler chooses it where the notification type is declared, by the static type of its `sender`, so that no post has to
/// find out what its sender is. You never make one.
@safe
public struct SenderComparison<Sender>: @unchecked Sendable {  // closures without captures
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

    /// The user's `==` and `hash(into:)`; only if the kind is equality.
    @usableFromInline package let areEqual: (Sender, Sender) -> Bool
    @usableFromInline package let hash: (Sender) -> Int

    @usableFromInline
    init(
        _ kind: Kind, hash: @escaping (Sender) -> Int = { _ in 0 },
        areEqual: @escaping (Sender, Sender) -> Bool = { _, _ in false }
    ) {
        self.kind = kind
        self.hash = hash
        self.areEqual = areEqual
    }

    /// The comparison of a type of which nothing is known but what the runtime says.
    @usableFromInline
    package static var atRunTime: SenderComparison {
        SenderComparison(
            Sender.self == Void.self ? .none : Sender.self is AnyObject.Type ? .identity : .dynamic)
    }
}

extension SenderComparison where Sender: Hashable {
    /// By equality, unless the type that a generic declaration was given is an object's, or an optional.
    @inlinable
    static var ofValues: SenderComparison {
        if Sender.self is AnyObject.Type || Sender.self is any OptionalSender.Type { return atRunTime }
        return SenderComparison(.equality, hash: { $0.hashValue }, areEqual: { $0 == $1 })
    }
}

extension NotificationContent {
    /// Finds out at run time, as the static type says nothing.
    public static var senderComparison: SenderComparison<Sender> { .atRunTime }
}

extension NotificationContent where Sender == Void {
    /// There is nothing to compare.
    public static var senderComparison: SenderComparison<Sender> { SenderComparison(.none) }
}

extension NotificationContent where Sender: AnyObject {
    /// By identity.
    public static var senderComparison: SenderComparison<Sender> { SenderComparison(.identity) }
}

extension NotificationContent where Sender: Hashable {
    /// By equality.
    @inlinable
    public static var senderComparison: SenderComparison<Sender> { .ofValues }
}

extension NotificationContent where Sender: AnyObject & Hashable {
    /// By identity.
    public static var senderComparison: SenderComparison<Sender> { SenderComparison(.identity) }
}
