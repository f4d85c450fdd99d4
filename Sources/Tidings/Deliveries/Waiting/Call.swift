import Synchronization

/// A call of an asynchronous observer that is running; one for a whole turn if the observer cannot be suspended.
@usableFromInline
final class Call: Sendable {
    /// The mailbox whose observer is called, by identity.
    let mailbox: ObjectIdentifier

    /// Whether the observer can wait for something.
    let canWait: Bool

    private let hasEnded = Atomic(false)

    @usableFromInline
    init(of mailbox: AnyObject, canWait: Bool) {
        self.mailbox = ObjectIdentifier(mailbox)
        self.canWait = canWait
    }

    /// Whether the call is still running. A task that inherited from it may outlive it.
    var isRunning: Bool { !hasEnded.load(ordering: .acquiring) }

    @usableFromInline
    func end() { hasEnded.store(true, ordering: .releasing) }
}
