/// How the senders of a notification type are told apart.
///
/// The compiler chooses it where the notification type is declared, by the static type of its `sender`, so that no post has to
/// find out what its sender is. You never make one.
public struct SenderComparison<Sender>: Sendable {
    @usableFromInline package let rule: SenderRule<Sender>

    @inlinable
    init(_ rule: SenderRule<Sender>) { self.rule = rule }

    /// The comparison of a type of which nothing is known but what the runtime says.
    @usableFromInline
    package static var atRunTime: SenderComparison { SenderComparison(.atRunTime) }
}

extension SenderComparison where Sender: Hashable {
    /// By equality, unless the type that a generic declaration was given is an object's, or an optional.
    @inlinable static var ofValues: SenderComparison {
        if Sender.self is AnyObject.Type || Sender.self is any OptionalSender.Type { return atRunTime }
        return SenderComparison(.equality(hash: { $0.hashValue }, areEqual: { $0 == $1 }))
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
    @inlinable public static var senderComparison: SenderComparison<Sender> { .ofValues }
}

extension NotificationContent where Sender: AnyObject & Hashable {
    /// By identity.
    public static var senderComparison: SenderComparison<Sender> { SenderComparison(.identity) }
}
