import Tidings

/// An actor that runs no jobs until its executor is released, and records the numbers that it receives.
actor HeldActor {
    nonisolated let executor = HeldExecutor()
    nonisolated let journal = Journal<Int>()

    func finish() {}

    // The executor lives as long as the actor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: executor) }
}

/// Holds jobs until it is released, and from then on runs them in a task.
final class HeldExecutor: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isReleased = false
        var isRunning = false
    }

    private let state = Lock(State())
    let hasJobs = Gate()

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

    func enqueue(_ job: UnownedJob) {
        // The runtime doesn't retain the executor. Another thread may run the job at once and then release the actor,
        // which holds this executor.
        let retained = unsafe Unmanaged.passRetained(self)
        defer { unsafe retained.release() }
        state.withLock { $0.jobs.append(job) }
        hasJobs.open()
        runIfReleased()
    }

    func release() {
        state.withLock { $0.isReleased = true }
        runIfReleased()
    }

    private func runIfReleased() {
        let starts = state.withLock { state in
            if !state.isReleased || state.isRunning || state.jobs.isEmpty { return false }
            state.isRunning = true
            return true
        }
        if starts { Task { run() } }
    }

    private func run() {
        while let job = next() {
            // Each job is removed once, by the only task that runs jobs.
            unsafe job.runSynchronously(on: UnownedSerialExecutor(ordinary: self))
        }
    }

    private func next() -> UnownedJob? {
        state.withLock { state in
            if state.jobs.isEmpty {
                state.isRunning = false
                return nil
            }
            return state.jobs.removeFirst()
        }
    }
}
