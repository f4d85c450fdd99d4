import Tidings

final class Deliveries: Sendable {
    struct Held: Sendable {
        let queued: QueuedDelivery
        /// Makes `deliver` wait for this delivery; `nil` for a sequence, which isn't waited for.
        let tracked: TrackedDelivery?
        let put: @Sendable () -> Void
    }

    struct State {
        struct Waiter {
            /// `nil` for all deliveries.
            let deliveries: Set<Int>?
            let continuation: CheckedContinuation<Void, Never>
        }

        var isClosed = false
        var held: [Held] = []
        var unfinished: [Int: QueuedDelivery] = [:]
        private var waiters: [Int: Waiter] = [:]
        private var lastID = 0

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }

        /// Returns the finished delivery, and the tasks that no longer have to wait.
        mutating func finish(_ id: Int) -> (QueuedDelivery?, [CheckedContinuation<Void, Never>]) {
            let finished = unfinished.removeValue(forKey: id)
            let ready = waiters.filter { hasFinished($0.value.deliveries) }
            for id in ready.keys { waiters[id] = nil }
            return (finished, ready.values.map(\.continuation))
        }

        /// Returns `false` if the deliveries that the task waits for have already finished.
        mutating func wait(_ id: Int, _ waiter: Waiter) -> Bool {
            if hasFinished(waiter.deliveries) { return false }
            waiters[id] = waiter
            return true
        }

        mutating func stopWaiting(_ id: Int) -> CheckedContinuation<Void, Never>? {
            waiters.removeValue(forKey: id)?.continuation
        }

        private func hasFinished(_ deliveries: Set<Int>?) -> Bool {
            deliveries?.isDisjoint(with: unfinished.keys) ?? unfinished.isEmpty
        }
    }

    let state = Lock(State())

    /// Calls `put` to queue the notification for the observer or, if the gate is closed, holds the delivery.
    func deliver(to receiver: Receiver, _ notification: KeptNotification, put: @escaping @Sendable () -> Void) {
        let tracked = receiver.isSequence ? nil : TrackedDelivery()
        let held = state.withLock { state in
            let queued = QueuedDelivery(id: state.makeID(), receiver: receiver, notification: notification)
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
        let finish = { @Sendable [self] in self.finish(held.queued.id) }
        guard let tracked = held.tracked else {
            held.put()
            return finish()
        }
        tracked.handOver(held.put, whenFinished: finish)
    }

    func discard(for receiver: Receiver? = nil) {
        let discarded = state.withLock { state in
            let discarded = state.held.filter { receiver == nil || $0.queued.receiver === receiver }
            if !discarded.isEmpty { state.held.removeAll { receiver == nil || $0.queued.receiver === receiver } }
            return discarded
        }
        for held in discarded { held.tracked?.discard() }
    }

    func waitUntilFinished(_ deliveries: Set<Int>) async { await wait(for: deliveries) }

    /// Waits for all deliveries. If the task is cancelled, returns the deliveries that haven't finished.
    @discardableResult
    func drain() async -> [QueuedDelivery] {
        await wait(for: nil)
        return state.withLock { Array($0.unfinished.values) }.sorted { $0.id < $1.id }
    }

    private func wait(for deliveries: Set<Int>?) async {
        let id = state.withLock { $0.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    !Task.isCancelled && state.wait(id, .init(deliveries: deliveries, continuation: continuation))
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.stopWaiting(id) }?.resume()
        }
    }

    private func finish(_ id: Int) {
        // Released after the unlock, because that may run a user's `deinit`.
        let (finished, ready) = state.withLock { $0.finish(id) }
        withExtendedLifetime(finished) {
            for continuation in ready { continuation.resume() }
        }
    }
}
