import Dispatch
import Tidings

/// An actor that records the numbers that it receives. It runs no jobs until ``HeldExecutor/release()`` is called.
actor HeldActor {
    nonisolated let executor = HeldExecutor()
    nonisolated let journal = Journal<Int>()

    init(isReleased: Bool = false) { if isReleased { executor.release() } }

    nonisolated func observe(
        in center: any TypedNotificationCenter, buffering policy: BufferingPolicy? = nil, line: UInt = #line
    ) -> NotificationToken {
        guard let policy else {
            return center.addObserver(self, on: .actor, for: Ping.self, line: line) { $0.journal.note($1.number) }
        }
        return center.addObserver(self, on: .actor, for: Ping.self, buffering: policy, line: line) {
            $0.journal.note($1.number)
        }
    }

    func finish() {}

    // The executor lives as long as the actor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: executor) }
}

final class HeldExecutor: SerialExecutor {
    let hasJobs = Gate()
    private let queue = DispatchQueue(label: "tidings.held-executor", attributes: .initiallyInactive)

    // An inactive queue can't be deallocated.
    deinit { queue.activate() }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

    func enqueue(_ job: UnownedJob) {
        // The runtime doesn't retain the executor. The queue may run the job at once and then release the actor, which
        // holds this executor.
        let retained = unsafe Unmanaged.passRetained(self)
        defer { unsafe retained.release() }
        // Each job is enqueued once, and runs once.
        queue.async { unsafe job.runSynchronously(on: UnownedSerialExecutor(ordinary: self)) }
        hasJobs.open()
    }

    func release() { queue.activate() }
}
