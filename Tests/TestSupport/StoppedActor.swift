package import Testing
import Tidings

/// Runs an actor's jobs only on request, so a test can hold the actor without blocking a thread.
package final class ManualExecutor: SerialExecutor {
    private let jobs = Lock<[UnownedJob]>([])
    private let hasFinished = AtomicByte(false)

    package init() {}

    package var hasPending: Bool { jobs.withLock { !$0.isEmpty } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The executor retains itself until this function returns, because the runtime doesn't retain executors.
        // Another thread may run the job at once and release the actor, which holds the last other reference to this
        // executor.
        let retained = unsafe Unmanaged.passRetained(self)
        defer { unsafe retained.release() }
        jobs.withLock { $0.append(job) }
        if hasFinished.load(ordering: .sequentiallyConsistent) { runPending() }
    }

    /// Runs the enqueued jobs, and returns their number. Only one task at a time may call this.
    @discardableResult
    package func runPending() -> Int {
        let pending = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        // A job must run only once. Each job is removed from the queue before it runs.
        for job in pending { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
        return pending.count
    }

    package func runNext(sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually("a job is enqueued", sourceLocation: sourceLocation) { runPending() > 0 }
    }

    package func run(until condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
        let limit = Duration.seconds(60)
        var pauses = Pauses(limit)
        while !condition() {
            if runPending() > 0 {
                pauses = Pauses(limit)
            } else if await !pauses.next() {
                Issue.record("No job was enqueued within \(limit).", sourceLocation: sourceLocation)
                return
            }
        }
    }
}

extension ManualExecutor {
    /// Runs jobs until the condition is true. After that, jobs run immediately. A test calls this at its end, so that
    /// no task waits forever.
    package func finish(when condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
        await run(until: condition, sourceLocation: sourceLocation)
        hasFinished.store(true, ordering: .sequentiallyConsistent)
        runPending()
    }
}

/// An actor that only runs when a test runs its executor.
package actor StoppedActor {
    package nonisolated let executor = ManualExecutor()

    // The executor lives as long as the actor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    package init() {}
}
