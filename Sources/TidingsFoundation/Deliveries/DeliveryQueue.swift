public import Dispatch
public import Tidings

/// A queue on which observers run: a dispatch queue, an operation queue, or one of your own.
///
/// ```swift
/// center.addObserver(on: queue, for: CacheCleared.self) { _ in disk.clear() }.store(in: &tokens)
/// ```
public protocol DeliveryQueue: Sendable {
    /// Runs a closure as a piece of work, and again after that, as a further piece of work, for as long as it returns true.
    ///
    /// It does not wait for the work. A piece of work that is not run holds back what waits for the observer.
    ///
    /// - Parameter turn: The closure. It hands one or a few notifications to an observer, and returns whether more wait.
    func takeTurns(_ turn: @escaping @Sendable () -> Bool)
}

extension DispatchQueue: DeliveryQueue {
    /// Runs a closure in a block, and again in a further block for as long as it returns true.
    ///
    /// - Parameter turn: The closure.
    public func takeTurns(_ turn: @escaping @Sendable () -> Bool) {
        async { if turn() { self.takeTurns(turn) } }
    }
}

// The deliveries on queues of both kinds. They are compiled where the observer is registered, which knows the type: code that is
// generic at run time looks types up for each notification.

extension TypedNotificationCenter {
    @inlinable
    func observe<N: TypedNotification & Sendable>(
        _ registration: AsynchronousRegistration<N>, on queue: some DeliveryQueue,
        _ observer: @escaping @Sendable (N) throws -> Void
    ) -> NotificationToken {
        observe(registration, calling: observer) { mailbox, observer in
            queue.takeTurns { observer.held.map { mailbox.run(onFailure: $0.respond, $0.closure) } ?? false }
        }
        .token()
    }

    @inlinable
    func observe<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, _ registration: AsynchronousRegistration<N>, on queue: some DeliveryQueue,
        _ observer: @escaping @Sendable (Owner, N) throws -> Void
    ) -> NotificationToken {
        let ownership = Ownership(owner)
        return observe(registration, tiedBy: ownership, calling: observer) { mailbox, observer in
            queue.takeTurns {
                guard let owner = ownership.owner.object(as: Owner.self) else {
                    ownership.end()
                    return false
                }
                guard let held = observer.held else { return false }
                return mailbox.run(onFailure: held.respond) { note in try held.closure(owner, note) }
            }
        }
        .token(owner: ownership)
    }
}
