import TidingsEngine

@usableFromInline
struct QueueTrace: Sendable {
    private let delivery: NumberedDelivery

    /// The time at which the notification was queued; 0 if no monitor needs the time, or if it is unknown.
    private var since: Int64 = 0

    private var followed: FollowedTrace?

    /// The reporter to use instead of the queue's own reporter, if several observers share the queue.
    @export(implementation) private(set) var reporter: QueueReporter?

    /// Whether a monitor caused the post. If so, neither the delivery nor anything that results from it is monitored.
    @export(implementation) private(set) var isCausedByMonitor = false

    /// Whether no monitor receives the delivery, because the post isn't in a sample. Errors are reported nevertheless.
    private(set) var isLeftOut = false

    static let causedByMonitor = QueueTrace(delivery: .none, isCausedByMonitor: true)
}

extension QueueTrace {
    /// Creates the trace of a queued notification. Returns `nil` if no monitor receives anything about its delivery.
    init?(toldBy teller: QueueTeller) {
        let monitors = teller.monitors
        // A delivery has a number even if it isn't reported, because posts that the observer makes refer to the number.
        if monitors.tellAlike {
            let delivery = NumberedPost.beginDelivery(toldTo: teller.reporter.monitoring)
            let since = monitors.measureQueues ? Moment.now : 0
            let own = teller.reporter.tellsEach ? teller.reporter : nil
            self.init(delivery: delivery, since: since, reporter: own)
            return
        }
        let told = monitors.ofQueue
        if told.isEmpty, !monitors.isSampled { return nil }
        let delivery = NumberedPost.beginDelivery(toldTo: teller.reporter.monitoring)
        if told.isEmpty {
            self.init(delivery: delivery, isLeftOut: true)
            return
        }
        self.init(delivery: delivery, followed: FollowedTrace(teller.reporter.observer, told, delivery))
    }

    /// Creates the trace of a notification that was queued before a monitor was attached. Returns `nil` if no monitor
    /// receives the call.
    @usableFromInline
    init?(ofCallToldBy teller: QueueTeller) {
        if Monitoring.isCausing || !teller.monitors.tellsCalls { return nil }
        self.init(delivery: NumberedPost.beginDelivery(toldTo: teller.reporter.monitoring))
    }

    func tellWaiting(number: Int?) { followed?.tellWaiting(number: number) }

    /// Performs a call and reports it. `waiting` returns the length of the queue, and is called after `body`.
    @usableFromInline
    func perform(
        toldBy teller: QueueTeller?, waiting: () -> Int, _ body: () -> (any Error)?
    ) -> (any Error)? {
        if isCausedByMonitor { return Monitoring.causing(body) }
        if let followed = followed(by: teller) { return followed.perform(waiting: waiting, body) }
        guard let teller else { return body() }
        let isOnMainActor = teller.reporter.observer.delivery.isOnMainActor
        let begun = !isLeftOut && teller.monitors.measures(callOnMainActor: isOnMainActor) ? Moment.now : 0
        let error = MonitoredTask.local.withValue(task, operation: body)
        tell(teller, begun, error, waiting, isOnMainActor: isOnMainActor)
        return error
    }

    @usableFromInline
    func perform(
        toldBy teller: QueueTeller?, isolation: isolated (any Actor)?, waiting: () -> Int,
        _ body: nonisolated(nonsending) () async -> (any Error)?
    ) async -> (any Error)? {
        if isCausedByMonitor { return await Monitoring.causing(body) }
        if let followed = followed(by: teller) {
            return await followed.perform(isolation: isolation, waiting: waiting, body)
        }
        guard let began = begin(toldBy: teller, isolation: isolation) else { return await body() }
        var error: (any Error)?
        await MonitoredTask.local.withValue(task) {
            _ = isolation
            error = await body()
        }
        end(toldBy: teller, isolation: isolation, began, error, waiting: waiting())
        return error
    }

    /// Returns the current time; 0 if the call isn't measured; `nil` if it isn't monitored, or needs `FollowedTrace`.
    func begin(toldBy teller: QueueTeller?, isolation: (any Actor)?) -> Int64? {
        guard let teller, !isCausedByMonitor, followed == nil, isLeftOut || teller.monitors.tellAlike else {
            return nil
        }
        let isMeasured =
            !isLeftOut && teller.monitors.measures(callOnMainActor: teller.reporter.isOnMainActor(isolation))
        return isMeasured ? Moment.now : 0
    }

    /// The value of ``MonitoredTask/local`` during the call.
    @usableFromInline var task: MonitoredTask { MonitoredTask(delivery: delivery) }

    @usableFromInline
    func end(
        toldBy teller: QueueTeller?, isolation: (any Actor)?, _ began: Int64, _ error: (any Error)?,
        waiting: @autoclosure () -> Int
    ) {
        guard let teller else { return }
        tell(teller, began, error, waiting, isOnMainActor: teller.reporter.isOnMainActor(isolation))
    }

    func tell(_ error: any Error, toldBy teller: QueueTeller?) {
        if isCausedByMonitor { return }
        if let followed { return followed.tell(error) }
        guard let teller else { return }
        let failure = NotificationFailure(error, of: teller.reporter.observer, in: NotificationDelivery.ID(delivery))
        teller.monitors.each { _, monitor in monitor.receive(.failed(failure)) }
    }

    @usableFromInline
    func taken(toldBy teller: QueueTeller?, waiting: Int) {
        if isCausedByMonitor { return }
        if let followed { return followed.taken(waiting: waiting) }
        guard let teller, teller.monitors.tellsCalls, !isLeftOut else { return }
        let waited = since == 0 ? nil : Duration.nanoseconds(Moment.now - since)
        tellDelivered(teller, waited, nil, waiting, isOnMainActor: false)
    }

    private func followed(by teller: QueueTeller?) -> FollowedTrace? {
        if let followed { return followed }
        guard let teller, !teller.monitors.tellAlike, !isLeftOut else { return nil }
        return FollowedTrace(teller.reporter.observer, teller.monitors.ofCalls, delivery, isLate: true)
    }

    private func tell(
        _ teller: QueueTeller, _ begun: Int64, _ error: (any Error)?, _ waiting: () -> Int, isOnMainActor: Bool
    ) {
        if let error { tell(error, toldBy: teller) }
        guard teller.monitors.tellsCalls, !isLeftOut else { return }
        var (waited, duration): (Duration?, Duration?)
        if begun != 0 {
            duration = .nanoseconds(Moment.now - begun)
            if since != 0 { waited = .nanoseconds(begun - since) }
        }
        tellDelivered(teller, waited, duration, waiting(), isOnMainActor: isOnMainActor)
    }

    private func tellDelivered(
        _ teller: QueueTeller, _ waited: Duration?, _ duration: Duration?, _ waiting: Int, isOnMainActor: Bool
    ) {
        let event = NotificationEvent.delivered(
            NotificationDelivery(
                id: NotificationDelivery.ID(delivery), observer: teller.reporter.observer, waited: waited,
                duration: duration, waiting: waiting, isOnMainActor: isOnMainActor))
        ToldPost.tellCallsOfThread()
        Monitoring.causing {
            teller.monitors.each { _, monitor in monitor.receiveHere(event, .deliveries, mayBeWarnedOf: true) }
        }
    }
}

/// A queue's reporter and its monitors. They are in an object, because each notification copies them several times.
@usableFromInline
final class QueueTeller: Sendable {
    @usableFromInline let reporter: QueueReporter
    @usableFromInline let monitors: MonitorList

    @usableFromInline
    init(_ reporter: QueueReporter, _ monitors: MonitorList) {
        self.reporter = reporter
        self.monitors = monitors
    }

    func tell(waiting: Int) {
        guard monitors.tellAlike else { return reporter.tell(waiting: waiting) }
        let isLong = monitors.longQueues.contains { waiting > $0 }
        guard monitors.tellsWaiting || isLong else { return }
        Monitoring.causing {
            monitors.each { _, monitor in
                monitor.receiveHere(.queued(reporter.observer, waiting: waiting), .queues, mayBeWarnedOf: isLong)
            }
        }
    }
}
