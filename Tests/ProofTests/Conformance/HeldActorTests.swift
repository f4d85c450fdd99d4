import Dispatch
import Foundation
import TestSupport
import Testing
import Tidings

@testable import TidingsConformance

/// Runs each job on the thread that enqueues it. After `arm()`, the next thread that enqueues a job blocks until
/// `open()` is called.
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
        // A task keeps the executor alive, so the executor outlives its jobs.
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}

/// Runs each job on a new thread, so that a blocked job doesn't delay others.
private final class NewThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The thread keeps the executor alive.
        Thread.detachNewThread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The actors of the conformance suite have executors that the runtime doesn't keep alive.
@Suite(.offThePool) struct HeldActorTests {
    @Test func `an actor's executor lives until it has enqueued the actor's last job`() async {
        let blocking = BlockingExecutor()
        var actor: HeldActor? = HeldActor()
        weak let weakActor = actor
        weak let executor = actor?.executor
        // The blocking executor immediately runs the task `waiting` until the task waits for `hasJobs`. When the
        // actor's executor receives a job, the actor's executor opens `hasJobs`, so the task is enqueued on the
        // blocking executor again. By then, the blocking executor is armed, so it blocks the thread that enqueues the
        // task.
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
        #expect(executor != nil, "The executor was released while it enqueued a job.")

        blocking.open()
        await waiting.value
        await eventually("the executor is released") { executor == nil }
    }
}
