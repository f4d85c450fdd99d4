import Tidings

/// A stored notification on its way to one durable observer: what the outbox posts in the center for it.
///
/// So the center knows a durable observer as it knows others: it lists it, counts it, ends it with its owner, and tells monitors.
package struct DurableDelivery<Content: TypedNotification>: TypedNotification, UnrecordedPost {
    /// The durable observer for which it is.
    package let sender: DurableAddress
    let content: Content

    package static var contentType: Any.Type? { Content.self }
}

/// The identity of a durable observer, by which posts reach it alone.
package final class DurableAddress: Sendable {}

/// A center on which one durable observer is registered, and nobody else, so that it gets notifications from the outbox alone.
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

/// The queue of a durable observer: what waits for it in the table.
final class DurableQueue: ObserverQueue {
    private let mailbox: any ObserverQueue
    private let durable: @Sendable () -> DurableObserverStatus?
    private let handled: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameters:
    ///   - mailbox: The queue of the notification that is on its way.
    ///   - durable: How far the durable observer has come.
    ///   - handled: Calls a closure when what is stored by now was handled.
    init(
        _ mailbox: any ObserverQueue, durable: @escaping @Sendable () -> DurableObserverStatus?,
        whenHandled handled: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.mailbox = mailbox
        self.durable = durable
        self.handled = handled
    }

    var status: QueueStatus {
        var status = mailbox.status
        status.isStored = true
        guard let durable = durable() else { return status }
        status.queued = max(status.queued, durable.backlog)
        // What the mailbox takes for failed is tried again.
        status.failed = durable.deadLetters
        status.retrying = durable.held
        return status
    }

    func report(to reporter: QueueReporter) { mailbox.report(to: reporter) }
    func whenHandled(for wait: ObjectIdentifier?, _ resume: @escaping @Sendable () -> Void) { handled(resume) }
    func countDrops(with counter: DropCounter) { mailbox.countDrops(with: counter) }
    func cancel() { mailbox.cancel() }
}
