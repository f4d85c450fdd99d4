/// The queue of an asynchronous observer, as centers, observation lists and monitors see it.
@usableFromInline
package protocol ObserverQueue: AnyObject, Sendable {
    /// The state of the queue at this moment.
    var status: QueueStatus { get }

    /// Tells a reporter from now on when an element is put into the queue, dropped, or taken out.
    func report(to reporter: QueueReporter)

    /// Calls a closure, once, when everything that has been put into the queue by now was handled, dropped or discarded: at once
    /// if it was. What the consumer of a sequence has taken is handled when it asks for more.
    func whenHandled(_ resume: @escaping @Sendable () -> Void)

    /// Counts from now on how many elements are dropped. Of several counters, as a sequence of several types has, the first one
    /// counts.
    func countDrops(with counter: DropCounter)

    /// Discards what waits, and takes nothing more, as the observation has ended.
    func cancel()
}

extension ObserverQueue {
    /// Calls the closure at once: a queue that cannot tell when an element was handled is not waited for.
    package func whenHandled(_ resume: @escaping @Sendable () -> Void) { resume() }
}

/// The state of the queue of an asynchronous observer.
@usableFromInline
package struct QueueStatus: Sendable {
    /// How many notifications wait, without the one that the observer is handling.
    @usableFromInline package var queued = 0

    /// How many notifications the buffering policy has dropped.
    @usableFromInline package var dropped = 0

    /// Whether a call of the observer is running.
    @usableFromInline package var isRunning = false

    /// How far the calls have come.
    @usableFromInline package var calls = CallStatus()

    /// How many notifications the observer threw an error for and is not called with again.
    @usableFromInline package var failed = 0

    /// How many of those that wait are to be handed to the observer again, after an error.
    @usableFromInline package var retrying = 0

    @inlinable
    package init(
        queued: Int = 0, dropped: Int = 0, isRunning: Bool = false, calls: CallStatus = CallStatus(), failed: Int = 0,
        retrying: Int = 0
    ) {
        self.calls = calls
        self.failed = failed
        self.retrying = retrying
        self.queued = queued
        self.dropped = dropped
        self.isRunning = isRunning
    }
}

/// Tells the monitors of a center or a bus about the queue of one asynchronous observer.
@usableFromInline
package final class QueueReporter: Sendable {
    let observer: ObserverDescription
    private let monitoring: Monitoring

    /// Whether monitors are told of each notification whatever they want to know.
    private let tellsEach: Bool

    init(_ observer: ObserverDescription, _ monitoring: Monitoring, tellsEach: Bool = false) {
        self.observer = observer
        self.monitoring = monitoring
        self.tellsEach = tellsEach
    }

    /// The same, for a queue that several observers share: what is told of a notification depends on which of them it is for.
    var tellingEach: QueueReporter { QueueReporter(observer, monitoring, tellsEach: true) }

    /// Whether there is any monitor.
    package var isActive: Bool { monitoring.isActive }

    /// What monitors are told, with the lengths of which they are warned if that is all that they are told of lengths.
    var reporting: (QueueReporting, limits: [Int]) {
        guard let list = monitoring.list else { return (.nothing, []) }
        if tellsEach || list.followsQueues || list.looksAtMainActor && observer.delivery.isOnMainActor {
            return (.everything, [])
        }
        // Whether the queue was too long, and a monitor warned of that, is not known.
        return (list.longQueues.isEmpty ? .trouble : .recovery, list.longQueues)
    }

    /// Makes the trace of a notification whose call begins, and that began to wait before monitors came; `nil` if there is none to tell.
    func traceOfCall() -> QueueTrace? {
        let monitors = monitoring.currentOfQueue.filter { $0.interests.contains(.deliveries) }
        if monitors.isEmpty { return nil }
        return QueueTrace(
            observer, monitors, NumberedPost.beginDelivery(toldTo: monitoring), isCausedByMonitor: false, isLate: true)
    }

    /// Makes the trace of a notification that is about to wait, in the post; `nil` if there is no monitor to tell.
    func trace() -> QueueTrace? {
        if Monitoring.isCausing { return QueueTrace(observer, [], .none, isCausedByMonitor: true) }
        let monitors = monitoring.currentOfQueue
        if monitors.isEmpty { return nil }
        return QueueTrace(
            observer, monitors, NumberedPost.beginDelivery(toldTo: monitoring), isCausedByMonitor: false)
    }

    /// Tells the monitors how many notifications wait.
    package func tell(waiting: Int) { monitoring.send(.queued(observer, waiting: waiting)) }

    /// Tells the monitors that the queue is short again.
    func tell(recoveredAt waiting: Int, most: Int) {
        monitoring.tellRecovery(of: observer, waiting: waiting, most: most)
    }

    /// Notes that something waits for which a call is to be made.
    @usableFromInline
    package func watchCalls() { monitoring.watchCalls() }

    /// Tells the monitors that a call of the observer threw an error.
    func tell(_ error: any Error) { monitoring.send(.failed(NotificationFailure(error, of: observer))) }

    /// Tells the monitors that a notification was dropped, with the number of all that were.
    @usableFromInline
    package func tell(dropped: Int) { monitoring.send(.dropped(observer, total: dropped)) }
}

/// One notification that waits for an asynchronous observer, as monitors follow it: since when it waits, and the context that
/// each monitor carries from the post to the call.
@usableFromInline
final class QueueTrace: Sendable {
    private struct Share: Sendable {
        let monitor: AttachedMonitor
        /// Since when, by the monitor's clock; `nil` if the monitor does not want to know.
        let since: Duration?
        /// The context that the monitor carries from the post; `nil` if it carries none.
        let context: (any Sendable)?
    }

    private let observer: ObserverDescription
    private let shares: [Share]
    private let delivery: NumberedDelivery

    /// Whether a monitor caused the post. Its delivery is then not monitored, nor anything that the delivery causes.
    @usableFromInline let isCausedByMonitor: Bool

    /// Begins the trace, in the post, where monitors have the context to carry; or later, when nobody knows how long the notification
    /// has waited, nor in which context it was posted.
    init(
        _ observer: ObserverDescription, _ monitors: [AttachedMonitor], _ delivery: NumberedDelivery,
        isCausedByMonitor: Bool, isLate: Bool = false
    ) {
        self.observer = observer
        self.delivery = delivery
        self.isCausedByMonitor = isCausedByMonitor
        shares = monitors.map { monitor in
            Share(
                monitor: monitor, since: isLate ? nil : monitor.beginMeasuring(isWarnedOf: false),
                context: isLate ? nil : monitor.carrier?.anyContext(for: observer))
        }
    }

    /// Tells the monitors that follow that the notification begins to wait, or is dropped.
    func tellWaiting(number: Int?) {
        for share in shares {
            share.monitor.receive(waiting: NotificationDelivery.ID(delivery), for: observer, number: number)
        }
    }

    /// Makes the call in the contexts that were carried from the post, and tells the monitors of it, in these contexts too.
    ///
    /// - Parameters:
    ///   - waiting: Counts the notifications that still wait; called when the call has returned.
    ///   - body: The call.
    /// - Returns: The error that the call threw.
    @usableFromInline
    func perform(waiting: () -> Int, _ body: () -> (any Error)?) -> (any Error)? {
        if isCausedByMonitor { return Monitoring.causing(body) }
        let begun = begin(isOnMainActor: observer.delivery.isOnMainActor)
        var error: (any Error)?
        surround(shares[...]) {
            error = MonitoredTask.$current.withValue(MonitoredTask(delivery: delivery), operation: body)
            if let error { tell(error) }
            tell(begun, waiting(), isOnMainActor: observer.delivery.isOnMainActor)
        }
        return error
    }

    /// Makes a call that may be suspended and may fail in the contexts that were carried from the post, and tells the monitors of
    /// it, in these contexts too.
    ///
    /// - Parameters:
    ///   - isolation: Where it is made.
    ///   - waiting: Counts the notifications that still wait; called when the call has returned.
    ///   - body: The call.
    /// - Returns: The error that the call threw.
    @usableFromInline
    func perform(
        isolation: isolated (any Actor)?, waiting: () -> Int,
        _ body: nonisolated(nonsending) () async -> (any Error)?
    ) async -> (any Error)? {
        if isCausedByMonitor { return await Monitoring.causing(body) }
        let isOnMainActor = isolation === MainActor.shared || observer.delivery.isOnMainActor
        let begun = begin(isOnMainActor: isOnMainActor)
        var error: (any Error)?
        await MonitoredTask.$current.withValue(MonitoredTask(delivery: delivery)) {
            // A closure is isolated like its context only if it captures the isolation.
            _ = isolation
            await surround(shares[...]) {
                error = await body()
                if let error { tell(error) }
                tell(begun, waiting(), isOnMainActor: isOnMainActor)
            }
        }
        return error
    }

    /// Tells the monitors that the call threw an error: during the call, so that they find its context.
    func tell(_ error: any Error) {
        if isCausedByMonitor { return }
        let failure = NotificationFailure(error, of: observer, in: NotificationDelivery.ID(delivery))
        for share in shares { share.monitor.receive(.failed(failure)) }
    }

    /// Tells the monitors that the consumer of a sequence has taken the notification.
    @usableFromInline
    func taken(waiting: Int) {
        for share in shares {
            let waited = share.since.map { share.monitor.now - $0 }
            share.monitor.receive(
                .delivered(
                    NotificationDelivery(
                        id: NotificationDelivery.ID(delivery), observer: observer, waited: waited, duration: nil,
                        waiting: waiting, isOnMainActor: false)))
        }
    }

    /// Reads the clocks of the monitors that want to know how long the call takes.
    private func begin(isOnMainActor: Bool) -> [Duration?] {
        shares.map { $0.monitor.beginMeasuring(isWarnedOf: isOnMainActor) }
    }

    private func tell(_ begun: [Duration?], _ waiting: Int, isOnMainActor: Bool) {
        for (share, begun) in zip(shares, begun) {
            let waited = share.since.flatMap { since in begun.map { $0 - since } }
            let delivery = NotificationDelivery(
                id: NotificationDelivery.ID(delivery), observer: observer, waited: waited,
                duration: begun.map { share.monitor.now - $0 }, waiting: waiting,
                isOnMainActor: isOnMainActor)
            share.monitor.receive(.delivered(delivery))
        }
    }

    private func surround(_ shares: ArraySlice<Share>, _ body: () -> Void) {
        guard let share = shares.first else { return body() }
        let rest = shares.dropFirst()
        guard let carrier = share.monitor.carrier, let context = share.context else { return surround(rest, body) }
        carrier.call(observer, inAny: context) { surround(rest, body) }
    }

    nonisolated(nonsending)
        private func surround(_ shares: ArraySlice<Share>, _ body: nonisolated(nonsending) () async -> Void) async
    {
        guard let share = shares.first else { return await body() }
        let rest = shares.dropFirst()
        guard let carrier = share.monitor.carrier, let context = share.context else {
            return await surround(rest, body)
        }
        await carrier.call(observer, inAny: context) { await surround(rest, body) }
    }
}
