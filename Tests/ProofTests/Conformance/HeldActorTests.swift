import Dispatch
import Foundation
import TestSupport
import Testing
import Tidings

@testable import TidingsConformance

/// Once it is armed, it blocks the thread that enqueues a job on it until it is opened.
private final class BlockingExecutor: TaskExecutor {
    let hasJob = Gate()
    private let isArmed = AtomicByte(false)
    private let opened = DispatchSemaphore(value: 0)

    func arm() { isArmed.store(true, ordering: .sequentiallyConsistent) }
    func open() { opened.signal() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isArmed.exchange(false, ordering: .sequentiallyConsistent) {
            hasJob.open()
            opened.wait()
        }
        // A task keeps the executor alive, so it outlives its jobs.
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}

/// Runs each job on a new thread, so that a job that blocks holds up no other.
private final class NewThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The thread keeps the executor alive.
        Thread.detachNewThread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The actors of the suite, whose executors the runtime doesn't keep alive.
@Suite(.offThePool) struct HeldActorTests {
    @Test func `an executor lives until it has enqueued the job that ends its actor`() async {
        let blocking = BlockingExecutor()
        var actor: HeldActor? = HeldActor()
        weak let weakActor = actor
        weak let executor = actor?.executor
        // Enqueuing a job opens the gate, which enqueues this task on the executor that blocks. When the task is created,
        // it waits at the gate, because the executor has run it up to there.
        let hasJobs = actor!.executor.hasJobs
        let waiting = Task(executorPreference: blocking) { await hasJobs.wait() }
        blocking.arm()

        let finishing = Task(executorPreference: NewThreads()) { [last = actor.take()!] in await last.finish() }
        await blocking.hasJob.wait()
        #expect(weakActor != nil)
        executor?.release()
        await finishing.value
        await eventually("the actor is released") { weakActor == nil }
        await letOthersRun()
        #expect(executor != nil, "The executor was released while it enqueued.")

        blocking.open()
        await waiting.value
        await eventually("the executor is released") { executor == nil }
    }
}
