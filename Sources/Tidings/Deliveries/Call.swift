/// A call of an asynchronous observer that is running, or a turn of calls that cannot be suspended.
@usableFromInline
final class Call: Sendable {
    /// The mailbox whose observer is called, by identity.
    let mailbox: ObjectIdentifier

    @usableFromInline
    init(of mailbox: AnyObject) { self.mailbox = ObjectIdentifier(mailbox) }
}
