/// How the senders of a notification type are told apart.
///
/// The compiler chooses it where the notification type is declared, by the static type of its `sender`, so that a post need not
/// ask the runtime for the type of each sender. It is never made by hand.
public struct SenderComparison<Sender>: Sendable {
    @usableFromInline package let rule: SenderRule<Sender>

    @inlinable
    init(_ rule: SenderRule<Sender>) { self.rule = rule }

    /// Asks the runtime how to compare senders, where their static type does not say.
    @usableFromInline
    package static var atRunTime: SenderComparison { SenderComparison(.atRunTime) }
}

extension SenderComparison where Sender == Any? {
    /// Looks at each sender. It is not wrapped in another `Any` for that, which would have to be asked for its type first.
    package static var ofAnything: SenderComparison {
        SenderComparison(.dynamic { sender in sender.map { SenderKey(of: $0) } ?? .none })
    }
}

extension SenderComparison where Sender: Hashable {
    /// Compares by equality, unless the type is that of an object or an optional, which only the runtime can tell in generic
    /// code.
    @inlinable static var ofValues: SenderComparison {
        if Sender.self is AnyObject.Type || Sender.self is any OptionalValue.Type { return atRunTime }
        return SenderComparison(.equality(hash: { $0.hashValue }, areEqual: { $0 == $1 }))
    }
}

extension NotificationContent {
    /// Compares by identity or by equality, as the runtime finds for each sender.
    public static var senderComparison: SenderComparison<Sender> { .atRunTime }
}

extension NotificationContent where Sender == Void {
    /// Compares nothing, as there is no sender.
    public static var senderComparison: SenderComparison<Sender> { SenderComparison(.none) }
}

extension NotificationContent where Sender: AnyObject {
    /// Compares by identity.
    public static var senderComparison: SenderComparison<Sender> { SenderComparison(.identity) }
}

extension NotificationContent where Sender: Hashable {
    /// Compares by equality.
    @inlinable public static var senderComparison: SenderComparison<Sender> { .ofValues }
}

extension NotificationContent where Sender: AnyObject & Hashable {
    /// Compares by identity.
    public static var senderComparison: SenderComparison<Sender> { SenderComparison(.identity) }
}
