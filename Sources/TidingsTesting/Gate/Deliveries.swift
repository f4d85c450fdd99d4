import Tidings

final class Deliveries: Sendable {
    struct Held: Sendable {
        let queued: QueuedDelivery
        /// The delivery that the center's `deliver` waits for; `nil` for a sequence, for which `deliver` doesn't wait.
        let tracked: TrackedDelivery?
        let put: @Sendable () -> Void
    }

    struct State {
        var isClosed = false
        var held: [Held] = []
        var unfinished: [Int: QueuedDelivery] = [:]
        var lastID = 0
    }

    let state = AwaitedState(State())

    /// Calls `put`, which queues the notification for the observer. If the gate is closed, holds the delivery instead.
    func deliver(to receiver: Receiver, _ notification: KeptNotification, put: @escaping @Sendable () -> Void) {
        let tracked = receiver.registration.delivery == .sequence ? nil : TrackedDelivery()
        let held = state.withLock { state in
            state.lastID += 1
            let queued = QueuedDelivery(id: state.lastID, receiver: receiver, notification: notification)
            let held = Held(queued: queued, tracked: tracked, put: put)
            if state.isClosed {
                state.held.append(held)
                return Held?.none
            }
            state.unfinished[queued.id] = queued
            return held
        }
        if let held { handOver(held) }
    }

    func handOver(_ held: Held) {
        let finish = { @Sendable [self, id = held.queued.id] in
            // The delivery is released after the unlock, because the release may run a user's `deinit`.
            _ = state.withLock { $0.unfinished.removeValue(forKey: id) }
        }
        if let tracked = held.tracked { return tracked.handOver(held.put, whenFinished: finish) }
        held.put()
        finish()
    }

    func discard(for receiver: Receiver? = nil) {
        let discarded = state.withLock { state in
            let discarded = state.held.filter { receiver == nil || $0.queued.receiver === receiver }
            if !discarded.isEmpty { state.held.removeAll { receiver == nil || $0.queued.receiver === receiver } }
            return discarded
        }
        for held in discarded { held.tracked?.discard() }
    }

    /// Waits until all deliveries have finished. If the task is cancelled, returns the unfinished deliveries.
    @discardableResult
    func drain() async -> [QueuedDelivery] {
        await state.wait(until: \.unfinished.isEmpty)
        return state.withLock { Array($0.unfinished.values) }.sorted { $0.id < $1.id }
    }
}
