import Foundation

/// Calls an observer somewhere else with one element after the other, in the order in which they were sent.
final class QueueDelivery<Element: Sendable>: Sendable {
    /// Kept in a struct: a bare closure read out of a generic container is wrapped in a thunk at each access.
    private struct Observer: Sendable {
        let call: @Sendable (Element) -> Void
    }

    private struct State {
        /// `nil` once cancelled.
        var observer: Observer?
        var waiting: [Element] = []
        /// Whether a batch is on its way or being worked on.
        var isScheduled = false
        var isCalling = false
        var drains: [CheckedContinuation<Void, Never>] = []

        mutating func takeWaiting() -> [Element] {
            defer { waiting = [] }
            return waiting
        }

        mutating func beginCall() -> Observer? {
            isCalling = observer != nil
            return observer
        }

        mutating func endCall() -> [CheckedContinuation<Void, Never>] {
            defer { (isCalling, drains) = (false, []) }
            return drains
        }
    }

    private let state: Lock<State>
    private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Prepares the delivery.
    ///
    /// - Parameters:
    ///   - schedule: Runs a closure, once, later and somewhere else; the next one is scheduled when it has run.
    ///   - observer: The observer.
    init(
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        observer: @escaping @Sendable (Element) -> Void
    ) {
        self.schedule = schedule
        state = Lock(State(observer: Observer(call: observer)))
    }

    /// Queues an element, unless the delivery is cancelled. Never waits for the observer.
    func send(_ element: Element) {
        let starts = state.withLock { state in
            if state.observer == nil { return false }
            state.waiting.append(element)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if starts { schedule(work) }
    }

    /// Discards what is queued and releases the observer.
    func cancel() {
        let discarded = state.withLock { state in
            defer { (state.observer, state.waiting) = (nil, []) }
            return (state.observer, state.waiting)
        }
        // Released after the lock, as that may run a user's `deinit`.
        withExtendedLifetime(discarded) {}
    }

    /// Returns when no call of the observer is running.
    func drain() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isCalling { state.drains.append(continuation) }
                return !state.isCalling
            }
            if isIdle { continuation.resume() }
        }
    }

    private func work() {
        for element in state.withLock({ state in state.takeWaiting() }) {
            guard let observer = state.withLock({ state in state.beginCall() }) else { break }
            observer.call(element)
            for continuation in state.withLock({ state in state.endCall() }) { continuation.resume() }
        }
        let goesOn = state.withLock { state in
            state.isScheduled = !state.waiting.isEmpty
            return state.isScheduled
        }
        if goesOn { schedule(work) }
    }
}
