/// Reports repeated drops and errors to a monitor when they are due, even if no other event occurs. The timer only
/// exists while something has to be reported.
final class RepeatTimer: Sendable {
    private struct State: ~Copyable, Sendable {
        /// Set while there is a timer. A weak reference would slow down every use of the monitor.
        var monitor: AttachedMonitor?
        var timer: Task<Void, Never>?
        var hasEnded = false
    }

    private let state = Lock(State())

    private let isRunning = AtomicByte(false)

    func begin(for monitor: AttachedMonitor) {
        if isRunning.load(ordering: .sequentiallyConsistent) { return }
        state.withLock { state in
            if state.hasEnded || isRunning.load(ordering: .sequentiallyConsistent) { return }
            isRunning.store(true, ordering: .sequentiallyConsistent)
            state.monitor = monitor
            state.timer = Task.detached { [self, sleep = monitor.sleep] in
                while let wait = timeLeft(), (try? await sleep(wait)) != nil { current?.check() }
            }
        }
    }

    func end() {
        let (timer, monitor) = state.withLock { state in
            state.hasEnded = true
            return (state.timer.take(), state.monitor.take())
        }
        timer?.cancel()
        _ = monitor
    }

    private var current: AttachedMonitor? { state.withLock { $0.monitor } }

    /// The time until the next report; `nil` if there is none, in which case the timer has ended.
    private func timeLeft() -> Duration? {
        guard let monitor = current else { return nil }
        if let left = monitor.timeUntilRepeated { return left }
        state.withLock { state in
            state.monitor = nil
            isRunning.store(false, ordering: .sequentiallyConsistent)
        }
        // A drop or an error that was recorded before `isRunning` became false hasn't started a timer.
        if monitor.timeUntilRepeated != nil { begin(for: monitor) }
        return nil
    }
}
