final class MonitorTimer: Sendable {
    private struct State: ~Copyable, Sendable {
        /// The monitor, retained only while the timer runs. A weak reference would slow down every use of the monitor.
        var monitor: AttachedMonitor?
        var task: Task<Void, Never>?
        var hasEnded = false
    }

    private let state = Lock(State())
    private let running = AtomicByte(false)

    var isRunning: Bool { running.load(ordering: .sequentiallyConsistent) }

    var monitor: AttachedMonitor? { state.withLock { $0.monitor } }

    /// Starts the timer with `run` as its task. If `run` is `nil`, the task that called ``rest()`` continues as the
    /// timer's task. Returns `false` if the timer is already running, or if the monitor is detached.
    @discardableResult
    func begin(for monitor: AttachedMonitor, _ run: (@concurrent @Sendable () async -> Void)? = nil) -> Bool {
        if isRunning { return false }
        return state.withLock { state in
            if state.hasEnded || isRunning { return false }
            running.store(true, ordering: .sequentiallyConsistent)
            state.monitor = monitor
            if let run { state.task = Task.detached(operation: run) }
            return true
        }
    }

    /// Stops the timer until the next `begin`. Called by its task when there is nothing left to check or report.
    func rest() {
        state.withLock { state in
            state.monitor = nil
            running.store(false, ordering: .sequentiallyConsistent)
        }
    }

    func end() {
        let (task, monitor) = state.withLock { state in
            state.hasEnded = true
            running.store(false, ordering: .sequentiallyConsistent)
            return (state.task.take(), state.monitor.take())
        }
        task?.cancel()
        _ = monitor
    }
}
