import Tidings

/// A queue on which observers take turns.
protocol TurnQueue: Sendable {
    /// Calls a closure in one piece of work after the other until it returns false.
    func takeTurns(_ turn: @escaping @Sendable () -> Bool)
}

// The deliveries on queues of both kinds.

extension TypedNotificationCenter {
    func observe<N: TypedNotification & Sendable>(
        _ registration: AsynchronousRegistration<N>, on queue: some TurnQueue,
        _ observer: @escaping @Sendable (N) -> Void
    ) -> NotificationToken {
        observe(registration, calling: observer) { mailbox, observer in
            queue.takeTurns { observer.closure.map(mailbox.run) ?? false }
        }
        .token()
    }

    func observe<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, _ registration: AsynchronousRegistration<N>, on queue: some TurnQueue,
        _ observer: @escaping @Sendable (Owner, N) -> Void
    ) -> NotificationToken {
        let ownership = Ownership(owner)
        return observe(registration, tiedBy: ownership, calling: observer) { mailbox, observer in
            queue.takeTurns {
                guard let owner = ownership.owner.object(as: Owner.self) else {
                    ownership.end()
                    return false
                }
                return observer.closure.map { closure in mailbox.run { note in closure(owner, note) } } ?? false
            }
        }
        .token(owner: ownership)
    }
}
