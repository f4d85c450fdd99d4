import Tidings

/// Runs the jobs of an actor only when it is told to, so that the actor can be stopped without holding a thread.
package final class ManualExecutor: SerialExecutor {
    private let jobs = Lock<[UnownedJob]>([])
    private let hasFinished = AtomicByte(false)

    package init() {}

    /// Whether something was enqueued that has not been run.
    package var hasPending: Bool { jobs.withLock { !$0.isEmpty } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        if hasFinished.load(ordering: .sequentiallyConsistent) { runPending() }
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

extension ManualExecutor {
    /// Runs what is enqueued until a condition holds, and what comes later at once: at the end of a test, so that no task waits
    /// for ever for its last job.
    package func finish(when condition: () -> Bool) async {
        await run(until: condition)
        hasFinished.store(true, ordering: .sequentiallyConsistent)
        runPending()
    }
}

/// An actor that stands still until its executor is told to run.
package actor StoppedActor {
    package nonisolated let executor = ManualExecutor()

    // The executor lives as long as the actor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    package init() {}
}
