import TidingsEngine

/// Stores when a notification was queued, and the context of each monitor, until the observer is called. It is used if
/// the monitors need separate events; see ``MonitorList/tellAlike``.
final class FollowedTrace: Sendable {
    /// `since` is when the notification was queued, on the monitor's clock; `nil` if it wasn't measured.
    private typealias Share = (monitor: AttachedMonitor, since: Duration?, context: (any Sendable)?)

    private let observer: ObserverDescription
    private let shares: [Share]
    private let delivery: NumberedDelivery

    /// Creates a trace. `isLate` is set if the post has ended, so that the waiting time and the contexts are unknown.
    init(
        _ observer: ObserverDescription, _ monitors: [AttachedMonitor], _ delivery: NumberedDelivery,
        isLate: Bool = false
    ) {
        self.observer = observer
        self.delivery = delivery
        shares = monitors.map { monitor in
            (
                monitor: monitor, since: isLate ? nil : monitor.beginMeasuring(isWarnedOf: false),
                context: isLate ? nil : monitor.carrier?.anyContext(for: observer)
            )
        }
    }

    func tellWaiting(number: Int?) {
        for share in shares {
            let id = NotificationDelivery.ID(delivery)
            share.monitor.attachedFollower?.receive(waiting: id, for: observer, number: number)
        }
    }

    /// Makes a call, and reports it. `waiting` returns the length of the queue, and is called after `body`.
    func perform(waiting: () -> Int, _ body: () -> (any Error)?) -> (any Error)? {
        let begun = begin(isOnMainActor: observer.delivery.isOnMainActor)
        var error: (any Error)?
        surround(shares[...]) {
            error = MonitoredTask.local.withValue(MonitoredTask(delivery: delivery), operation: body)
            if let error { tell(error) }
            tell(begun, waiting(), isOnMainActor: observer.delivery.isOnMainActor)
        }
        return error
    }

    func perform(
        isolation: isolated (any Actor)?, waiting: () -> Int, _ body: nonisolated(nonsending) () async -> (any Error)?
    ) async -> (any Error)? {
        let isOnMainActor = isolation === MainActor.shared || observer.delivery.isOnMainActor
        let begun = begin(isOnMainActor: isOnMainActor)
        var error: (any Error)?
        await MonitoredTask.local.withValue(MonitoredTask(delivery: delivery)) {
            // A closure inherits the isolation of its context only if it captures the `isolated` parameter.
            _ = isolation
            await surround(shares[...]) {
                error = await body()
                if let error { tell(error) }
                tell(begun, waiting(), isOnMainActor: isOnMainActor)
            }
        }
        return error
    }

    /// Reports the error during the call, so that monitors receive it in the context of the call.
    func tell(_ error: any Error) {
        let failure = NotificationFailure(error, of: observer, in: NotificationDelivery.ID(delivery))
        for share in shares { share.monitor.receive(.failed(failure)) }
    }

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

    private func begin(isOnMainActor: Bool) -> [Duration?] {
        shares.map { $0.monitor.beginMeasuring(isWarnedOf: isOnMainActor) }
    }

    private func tell(_ begun: [Duration?], _ waiting: Int, isOnMainActor: Bool) {
        for (share, begun) in zip(shares, begun) {
            let waited = share.since.flatMap { since in begun.map { $0 - since } }
            let delivery = NotificationDelivery(
                id: NotificationDelivery.ID(delivery), observer: observer, waited: waited,
                duration: begun.map { share.monitor.now - $0 }, waiting: waiting, isOnMainActor: isOnMainActor)
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
