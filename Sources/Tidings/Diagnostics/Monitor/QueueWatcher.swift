/// What waits for an asynchronous observer, as seen from outside.
@usableFromInline
package protocol ObserverQueue: AnyObject, Sendable {
    /// How the queue stands at this moment.
    var status: QueueStatus { get }

    /// Tells monitors from now on, if there are any, what becomes of the elements that are put into the queue.
    func follow(_ watcher: QueueWatcher)
}

/// How the queue of an asynchronous observer stands.
@usableFromInline
package struct QueueStatus: Sendable {
    /// How many notifications wait; the one that the observer works on does not.
    package var queued = 0

    /// How many notifications the buffering policy dropped.
    package var dropped = 0

    /// Whether a call of the observer is running.
    package var isRunning = false
}

/// What the queue of an asynchronous observer tells to monitors.
@usableFromInline
package final class QueueWatcher: Sendable {
    let observer: ObserverDescription
    private let monitoring: Monitoring

    init(_ observer: ObserverDescription, _ monitoring: Monitoring) {
        self.observer = observer
        self.monitoring = monitoring
    }

    /// Whether there is any monitor.
    var isActive: Bool { monitoring.isActive }

    /// What is known of a notification that begins to wait; `nil` if no monitor wants to know.
    func trace() -> QueueTrace? {
        if Monitoring.isCausing { return QueueTrace(observer, [], isCausedByMonitor: true) }
        let monitors = monitoring.current
        if monitors.isEmpty { return nil }
        return QueueTrace(observer, monitors, isCausedByMonitor: false)
    }

    /// Tells the monitors how many notifications wait.
    func tell(waiting: Int) { monitoring.send(.queued(observer, waiting: waiting)) }

    /// Tells the monitors that a notification was dropped, and how many were in all.
    func tell(dropped: Int) { monitoring.send(.dropped(observer, total: dropped)) }
}

/// What monitors know of one notification that waits for an asynchronous observer.
@usableFromInline
final class QueueTrace: Sendable {
    private struct Share: Sendable {
        let monitor: AttachedMonitor
        let since: Duration
        /// What a monitor carries from the post, in its own type.
        let context: (any Sendable)?
    }

    private let observer: ObserverDescription
    private let shares: [Share]

    /// Whether a monitor posted the notification: then its delivery is not monitored, nor what it causes.
    let isCausedByMonitor: Bool

    /// Begins to wait; in the post.
    init(_ observer: ObserverDescription, _ monitors: [AttachedMonitor], isCausedByMonitor: Bool) {
        self.observer = observer
        self.isCausedByMonitor = isCausedByMonitor
        shares = monitors.map { monitor in
            Share(monitor: monitor, since: monitor.now, context: monitor.carrier?.anyContext(for: observer))
        }
    }

    /// Makes the call.
    ///
    /// - Parameters:
    ///   - waiting: How many notifications still wait, asked when the call has returned.
    ///   - body: The call.
    func perform(waiting: () -> Int, _ body: () -> Void) {
        if isCausedByMonitor { return Monitoring.causing(body) }
        let begun = shares.map(\.monitor.now)
        surround(shares[...], body)
        tell(begun, waiting(), isOnMainActor: observer.delivery.isOnMainActor)
    }

    /// Makes a call that may be suspended.
    ///
    /// - Parameters:
    ///   - isOnMainActor: Whether it is made on the main actor.
    ///   - waiting: How many notifications still wait, asked when the call has returned.
    ///   - body: The call.
    nonisolated(nonsending)
        func perform(
            isOnMainActor: Bool, waiting: () -> Int, _ body: nonisolated(nonsending) () async -> Void
        ) async
    {
        if isCausedByMonitor { return await Monitoring.causing(body) }
        let begun = shares.map(\.monitor.now)
        await surround(shares[...], body)
        tell(begun, waiting(), isOnMainActor: isOnMainActor || observer.delivery.isOnMainActor)
    }

    /// Tells that the consumer of a sequence has taken the notification.
    func taken(waiting: Int) {
        for share in shares {
            let waited = share.monitor.now - share.since
            share.monitor.receive(
                .delivered(
                    NotificationDelivery(
                        observer: observer, waited: waited, duration: nil, waiting: waiting, isOnMainActor: false)))
        }
    }

    private func tell(_ begun: [Duration], _ waiting: Int, isOnMainActor: Bool) {
        for (share, begun) in zip(shares, begun) {
            let delivery = NotificationDelivery(
                observer: observer, waited: begun - share.since, duration: share.monitor.now - begun, waiting: waiting,
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

extension ContextCarryingMonitor {
    fileprivate func anyContext(for observer: ObserverDescription) -> any Sendable { context(for: observer) }

    fileprivate func call(_ observer: ObserverDescription, inAny context: any Sendable, _ body: () -> Void) {
        // It is what this monitor made.
        if let context = context as? Context { call(observer, in: context, perform: body) } else { body() }
    }

    nonisolated(nonsending)
        fileprivate func call(
            _ observer: ObserverDescription, inAny context: any Sendable,
            _ body: nonisolated(nonsending) () async -> Void
        ) async
    {
        // As above.
        if let context = context as? Context { await call(observer, in: context, perform: body) } else { await body() }
    }
}
