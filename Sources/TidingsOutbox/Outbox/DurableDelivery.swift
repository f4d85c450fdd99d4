/// A post for one durable observer. The observer is registered in the center, so that the center lists, monitors and
/// ends the observer.
package struct DurableDelivery<Content: TypedNotification>: TypedNotification, UnrecordedPost {
    package let sender: DurableAddress
    let content: Content

    package static var contentType: Any.Type { Content.self }
}

/// The sender of a durable observer's notifications. Each registration has its own, so no other observer is called.
package final class DurableAddress: Sendable {}

struct DurableCenter: TypedNotificationCenter {
    let base: any TypedNotificationCenter
    let address = DurableAddress()
    let queue: @Sendable (any ObserverQueue) -> any ObserverQueue

    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        base.post(DurableDelivery(sender: address, content: notification), from: place)
    }

    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        var registration = registration.withoutReplay.with(type: type)
        if let mailbox = registration.queue { registration = registration.with(queue: queue(mailbox)) }
        return base.observe(
            DurableDelivery<N>.self, sender: SenderFilter(address, of: DurableDelivery<N>.self),
            registration: registration
        ) { observer($0.content) }
    }
}

final class DurableQueue: ObserverQueue {
    private let mailbox: any ObserverQueue
    private let durable: @Sendable () -> DurableObserverStatus?
    private let handled: @Sendable (ObjectIdentifier?, @escaping @Sendable () -> Void) -> Void
    private let given: @Sendable (ObjectIdentifier) -> Void

    /// `handled` receives a closure, and calls it when all rows stored so far are handled, or when the observer ends.
    init(
        _ mailbox: any ObserverQueue, durable: @escaping @Sendable () -> DurableObserverStatus?,
        whenHandled handled: @escaping @Sendable (ObjectIdentifier?, @escaping @Sendable () -> Void) -> Void,
        giveUp given: @escaping @Sendable (ObjectIdentifier) -> Void
    ) {
        self.mailbox = mailbox
        self.durable = durable
        self.handled = handled
        self.given = given
    }

    var status: QueueStatus {
        var status = mailbox.status
        status.isStored = true
        guard let durable = durable() else { return status }
        status.queued = max(status.queued, durable.backlog)
        // `mailbox.status.failed` isn't used, because it includes notifications that are retried.
        status.failed = durable.deadLetters
        status.retrying = durable.held
        return status
    }

    /// The mailbox is included, so that a call of the observer never waits for this queue. If the call waited, the
    /// delivery of the call's row would end before the call.
    var waitNodes: [ObjectIdentifier] { mailbox.waitNodes + [ObjectIdentifier(self)] }

    func report(to reporter: QueueReporter) { mailbox.report(to: reporter) }
    func whenHandled(for wait: ObjectIdentifier?, _ resume: @escaping @Sendable () -> Void) { handled(wait, resume) }
    func giveUp(_ wait: ObjectIdentifier) { given(wait) }
    func countDrops(with counter: DropCounter) { mailbox.countDrops(with: counter) }
    func cancel() { mailbox.cancel() }
}
