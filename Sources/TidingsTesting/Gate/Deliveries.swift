import Tidings

/// The hand-overs to asynchronous observers: those that are held, and those that have not finished.
final class Deliveries: Sendable {
    /// Something that is held.
    struct Held: Sendable {
        let queued: QueuedDelivery
        /// What makes a delivery wait for it; `nil` for a sequence, which is not waited for.
        let tracked: TrackedDelivery?
        let put: @Sendable () -> Void
    }

    struct State {
        var isClosed = false
        var lastID = 0
        /// In the order posted.
        var held: [Held] = []
        /// What was handed over, and has not finished.
        var unfinished: [Int: QueuedDelivery] = [:]
        /// Those who wait until nothing is unfinished.
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }
    }

    let state = Lock(State())

    /// Hands a notification to an asynchronous observer, or holds it if the gate is closed.
    ///
    /// - Parameters:
    ///   - receiver: The observer.
    ///   - notification: The notification.
    ///   - put: Puts it into the observer's queue.
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
        if let held { handOver(held) {} }
    }

    /// Puts a notification into the observer's queue.
    ///
    /// - Parameters:
    ///   - held: The notification, which is among the unfinished.
    ///   - whenFinished: Called when the observer has finished with it.
    func handOver(_ held: Held, whenFinished: @escaping @Sendable () -> Void) {
        let finish = { @Sendable [self] in
            self.finish(held.queued.id)
            whenFinished()
        }
        guard let tracked = held.tracked else {
            held.put()
            return finish()
        }
        tracked.handOver(held.put, whenFinished: finish)
    }

    /// Lets go of what is held for an observer; of everything, if none is named.
    func discard(for receiver: Receiver? = nil) {
        let discarded = state.withLock { state in
            let discarded = state.held.filter { receiver == nil || $0.queued.receiver === receiver }
            if !discarded.isEmpty { state.held.removeAll { receiver == nil || $0.queued.receiver === receiver } }
            return discarded
        }
        for held in discarded { held.tracked?.discard() }
    }

    private func finish(_ id: Int) {
        let (finished, waiting) = state.withLock { state in
            let finished = state.unfinished.removeValue(forKey: id)
            guard state.unfinished.isEmpty else { return (finished, [CheckedContinuation<Void, Never>]()) }
            defer { state.waiting = [:] }
            return (finished, Array(state.waiting.values))
        }
        _ = finished
        for continuation in waiting { continuation.resume() }
    }
}
