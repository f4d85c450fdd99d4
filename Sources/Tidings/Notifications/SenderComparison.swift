/// The rule by which the senders of a notification type are compared. The compiler selects the rule when it compiles
/// the notification type, according to the type of `sender`. You never create a rule.
public struct SenderComparison<Sender>: Sendable {
    @usableFromInline package let rule: SenderRule<Sender>

    @inlinable
    init(_ rule: SenderRule<Sender>) { self.rule = rule }

    @usableFromInline
    package static var atRunTime: SenderComparison { SenderComparison(.atRunTime) }
}

extension SenderComparison where Sender == Any? {
    /// The rule for `Any?`. It unwraps each optional directly. ``atRunTime`` would need a cast to unwrap it.
    package static var ofAnything: SenderComparison {
        SenderComparison(.dynamic { sender in sender.map { SenderKey(of: $0) } ?? .none })
    }
}

extension SenderComparison where Sender: Hashable {
    /// Compares by equality. If `Sender` is an optional or, in generic code, a class, this rule is ``atRunTime``.
    @inlinable static var ofValues: SenderComparison {
        if Sender.self is AnyObject.Type || Sender.self is any OptionalValue.Type { return atRunTime }
        return SenderComparison(.equality(hash: { $0.hashValue }, areEqual: { $0 == $1 }))
    }
}

extension NotificationContent {
    /// Compares by identity or by equality, depending on the type that each sender has at run time.
    public static var senderComparison: SenderComparison<Sender> { .atRunTime }
}

extension NotificationContent where Sender == Void {
    /// Compares nothing, because there is no sender.
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
