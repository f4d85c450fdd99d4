import Dispatch
import Foundation
package import Testing
import Tidings
import TidingsWire

/// Runs the tasks of a test on threads that other tests don't use. Only one test with this trait runs at a time. Its
/// time limit is two minutes, unless the environment sets another limit.
///
/// Use this trait if a test's own threads post continuously. On Swift's thread pool, the test's tasks would wait behind
/// the tasks of all other tests. Meanwhile the posts would pile up, and the posting would delay the other tests.
///
/// The time limit begins when the test begins to run. The time limit of Swift Testing would include the wait for other
/// tests of this kind.
package struct OffThePool: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let threads = OwnThreads()
        defer { threads.endWhenIdle() }
        try await withTaskExecutorPreference(threads) {
            await turns.take()
            defer { turns.giveBack() }
            try await withoutActuallyEscaping(function) { function in
                try await withThrowingTaskGroup { group in
                    group.addTask { try await function() }
                    group.addTask {
                        guard (try? await Task.sleep(for: longest)) != nil else { return }
                        Issue.record("Time limit was exceeded: \(longest)", sourceLocation: test.sourceLocation)
                    }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        }
    }
}

extension Trait where Self == OffThePool {
    package static var offThePool: Self { Self() }
}

private let longest = Duration.seconds(60 * minutesOfRandomPrograms)

private let turns = Turns()

/// Runs each job on an idle thread of this executor, or on a new thread if none is idle. If the executor already has
/// `mostThreads` threads, the job waits for one of them. A job may block its thread.
private final class OwnThreads: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var threads = 0
        /// The number of threads that wait and haven't been signaled to take a job.
        var idle = 0
        var isOver = false
    }

    private enum Step {
        case run(UnownedJob), wait, end
    }

    private static let mostThreads = 64
    private static let mostIdle = 4

    private let state = Lock(State())
    private let wake = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (wakes, starts) = state.withLock { state -> (Bool, Bool) in
            state.jobs.append(job)
            if state.idle > 0 {
                state.idle -= 1
                return (true, false)
            }
            if state.threads == Self.mostThreads { return (false, false) }
            state.threads += 1
            return (false, true)
        }
        if wakes { wake.signal() }
        if starts { Thread.detachNewThread { self.runJobs() } }
    }

    /// Ends the idle threads now, and each other thread when it becomes idle.
    func endWhenIdle() {
        let idle = state.withLock { state in
            state.isOver = true
            defer { state.idle = 0 }
            return state.idle
        }
        for _ in 0..<idle { wake.signal() }
    }

    private func runJobs() {
        while true {
            switch state.withLock({ Self.next(&$0) }) {
            case .run(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            case .wait: wake.wait()
            case .end: return
            }
        }
    }

    private static func next(_ state: inout State) -> Step {
        if !state.jobs.isEmpty { return .run(state.jobs.removeFirst()) }
        if state.isOver || state.idle == mostIdle {
            state.threads -= 1
            return .end
        }
        state.idle += 1
        return .wait
    }
}
