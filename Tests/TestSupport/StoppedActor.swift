import Tidings

/// Runs the jobs of an actor only when it is told to, so that the actor can be stopped without holding a thread.
package final class ManualExecutor: SerialExecutor {
    /// Every executor. A test may end before the last job of a task was run, and the task then waits for ever; it is kept here,
    /// so that the leak sanitizer does not take it for a leak.
    private static let all = Lock<[ManualExecutor]>([])

    private let jobs = Lock<[UnownedJob]>([])

    package init() { ManualExecutor.all.withLock { $0.append(self) } }

    /// Whether something was enqueued that has not been run.
    package var hasPending: Bool { jobs.withLock { !$0.isEmpty } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs what was enqueued until now. One task at a time may do this.
    ///
    /// - Returns: How many jobs that were.
    @discardableResult
    package func runPending() -> Int {
        let pending = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        // Each job is taken out once, so it is run once.
        for job in pending { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
        return pending.count
    }

    /// Waits until something is enqueued, and runs it.
    package func runNext() async {
        while runPending() == 0 { await Task.yield() }
    }

    /// Runs what is enqueued until a condition holds.
    package func run(until condition: () -> Bool) async {
        while !condition() {
            runPending()
            await Task.yield()
        }
    }
}

/// An actor that stands still until its executor is told to run.
package actor StoppedActor {
    package nonisolated let executor = ManualExecutor()

    // The executor lives as long as the actor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    package init() {}
}
