/// The queue of an asynchronous observer, as centers, observation lists and monitors see it.
@usableFromInline
package protocol ObserverQueue: AnyObject, Sendable {
    /// The state of the queue at this moment.
    var status: QueueStatus { get }

    /// Tells a reporter from now on when an element is put into the queue, dropped, or taken out.
    func report(to reporter: QueueReporter)

    /// Calls a closure, once, when everything that has been put into the queue by now was handled, dropped or discarded: at once
    /// if it was. What the consumer of a sequence has taken is handled when it asks for more.
    ///
    /// - Parameters:
    ///   - wait: What names the wait to ``giveUp(_:)``; `nil` for one that is never given up.
    ///   - resume: The closure.
    func whenHandled(for wait: ObjectIdentifier?, _ resume: @escaping @Sendable () -> Void)

    /// Releases the closures of a wait that was given up, which then need not be called.
    func giveUp(_ wait: ObjectIdentifier)

    /// Counts from now on how many elements are dropped. Of several counters, as a sequence of several types has, the first one
    /// counts.
    func countDrops(with counter: DropCounter)

    /// Discards what waits, and takes nothing more, as the observation has ended.
    func cancel()
}

extension ObserverQueue {
    /// Calls the closure at once: a queue that cannot tell when an element was handled is not waited for.
    package func whenHandled(for wait: ObjectIdentifier?, _ resume: @escaping @Sendable () -> Void) { resume() }

    package func giveUp(_ wait: ObjectIdentifier) {}
}

/// The state of the queue of an asynchronous observer.
@usableFromInline
package struct QueueStatus: Sendable {
    /// How many notifications wait, without the one that the observer is handling.
    @export(implementation) package var queued = 0

    /// How many notifications the buffering policy has dropped.
    @export(implementation) package var dropped = 0

    /// Whether a call of the observer is running.
    @export(implementation) package var isRunning = false

    /// How far the calls have come.
    @export(implementation) package var calls = CallStatus()

    /// How many notifications the observer threw an error for and is not called with again.
    @export(implementation) package var failed = 0

    /// How many of those that wait are to be handed to the observer again, after an error.
    @export(implementation) package var retrying = 0

    /// Whether those that wait are stored outside the process, so that no event tells of each.
    @export(implementation) package var isStored = false

    @export(implementation)
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
    let monitoring: Monitoring

    /// Whether monitors are told of each notification whatever they want to know.
    let tellsEach: Bool

    init(_ observer: ObserverDescription, _ monitoring: Monitoring, tellsEach: Bool = false) {
        self.observer = observer
        self.monitoring = monitoring
        self.tellsEach = tellsEach
    }

    /// The same, for a queue that several observers share: what is told of a notification depends on which of them it is for.
    var tellingEach: QueueReporter { QueueReporter(observer, monitoring, tellsEach: true) }

    /// Whether there is any monitor.
    package var isActive: Bool { monitoring.isActive }

    /// What these monitors are told, with the lengths of which they are warned if that is all that they are told of lengths.
    func reporting(to monitors: MonitorList) -> (QueueReporting, limits: [Int]) {
        if tellsEach || monitors.followsQueues || monitors.looksAtMainActor && observer.delivery.isOnMainActor {
            return (.everything, [])
        }
        // Whether the queue was too long, and a monitor warned of that, is not known.
        return (monitors.longQueues.isEmpty ? .trouble : .recovery, monitors.longQueues)
    }

    /// The monitors that there are.
    var monitors: MonitorList? { monitoring.list }

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

/// What is told of a queue to monitors.
@usableFromInline
enum QueueReporting: UInt8, AtomicByteValue, Sendable {
    /// There are none.
    case nothing
    /// Errors, drops, and a queue that gets too long.
    case trouble
    /// The same, and that the queue, which was too long, or may have been, is short again.
    case recovery
    /// What becomes of each element.
    case everything
}
