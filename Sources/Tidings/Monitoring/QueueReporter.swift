@usableFromInline
package protocol ObserverQueue: AnyObject, Sendable {
    var status: QueueStatus { get }

    /// The identities of the queue in the ``WaitGraph``. A queue that wraps a mailbox also returns the mailbox's
    /// identity, because running calls refer to their mailbox. Otherwise a call that drains its center would wait for
    /// itself.
    var waitNodes: [ObjectIdentifier] { get }

    func report(to reporter: QueueReporter)

    /// Calls `resume` once, when every element that is now in the queue has been handled, dropped or discarded. An
    /// element of a sequence counts as handled when the consumer requests the next element. To withdraw `resume`, pass
    /// `wait` to ``giveUp(_:)``.
    func whenHandled(for wait: ObjectIdentifier?, _ resume: @escaping @Sendable () -> Void)

    func giveUp(_ wait: ObjectIdentifier)

    /// Sets the counter of drops. A sequence of several types receives one counter for each type, and keeps the first.
    func countDrops(with counter: DropCounter)

    func cancel()
}

extension ObserverQueue {
    @usableFromInline package var waitNodes: [ObjectIdentifier] { [ObjectIdentifier(self)] }

    package func whenHandled(for wait: ObjectIdentifier?, _ resume: @escaping @Sendable () -> Void) { resume() }

    package func giveUp(_ wait: ObjectIdentifier) {}
}

@usableFromInline
package struct QueueStatus: Sendable {
    /// The length of the queue, without the notification that the observer is handling. If ``isStored`` is `true`, the
    /// number of stored notifications that aren't known to be handled, which may include that notification.
    @export(implementation) package var queued = 0

    @export(implementation) package var dropped = 0
    @export(implementation) package var isRunning = false
    @export(implementation) package var calls = CallStatus()

    /// The number of errors after which the notification isn't retried.
    @export(implementation) package var failed = 0

    @export(implementation) package var retrying = 0

    /// Whether the queued notifications are stored outside the process. If so, they aren't reported individually.
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

@usableFromInline
package final class QueueReporter: Sendable {
    let observer: ObserverDescription
    let monitoring: Monitoring
    let tellsEach: Bool

    init(_ observer: ObserverDescription, _ monitoring: Monitoring, tellsEach: Bool = false) {
        self.observer = observer
        self.monitoring = monitoring
        self.tellsEach = tellsEach
    }

    /// A copy for an observer that shares its queue. Each queued ``QueueTrace`` keeps its observer's reporter.
    var tellingEach: QueueReporter { QueueReporter(observer, monitoring, tellsEach: true) }

    package var isActive: Bool { monitoring.isActive }

    func isOnMainActor(_ isolation: (any Actor)?) -> Bool {
        observer.delivery.isOnMainActor || isolation === MainActor.shared
    }

    /// Returns which events the queue has to report, and the queue lengths that cause warnings. `limits` is empty if
    /// every length is reported.
    func reporting(to monitors: MonitorList) -> (QueueReporting, limits: [Int]) {
        if tellsEach || monitors.followsQueues || monitors.looksAtMainActor && observer.delivery.isOnMainActor {
            return (.everything, [])
        }
        // A monitor with a limit may already have warned about the queue, so the queue also reports its recovery.
        return (monitors.longQueues.isEmpty ? .trouble : .recovery, monitors.longQueues)
    }

    var monitors: MonitorList? { monitoring.list }

    package func tell(waiting: Int) { monitoring.send(.queued(observer, waiting: waiting)) }

    /// `waiting` returns the length of the queue. It must not run user code.
    package func tell(recoveredAt waiting: () -> Int, most: Int = 0) {
        for monitor in monitoring.current { monitor.receive(recoveryOf: observer, waiting: waiting, most: most) }
    }

    @usableFromInline
    package func watchCalls() { monitoring.watchCalls() }

    func tell(_ error: any Error) { monitoring.send(.failed(NotificationFailure(error, of: observer))) }

    @usableFromInline
    package func tell(dropped: Int) { monitoring.send(.dropped(observer, total: dropped)) }
}

@usableFromInline
enum QueueReporting: UInt8, AtomicByteValue, Sendable {
    case nothing
    case trouble
    /// Like `trouble`. In addition, the queue reports when it has become short again.
    case recovery
    case everything
}
