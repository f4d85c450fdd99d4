import Dispatch
package import Testing
import Tidings

/// Runs the tasks of a test on threads that other tests don't use, one such test at a time.
///
/// Tests run in parallel, on as many threads as there are processors. A test whose own threads post continuously needs
/// its tasks to make progress. If they waited behind the tasks of all other tests, its posts would pile up, and its
/// threads would delay the other tests.
package struct OffThePool: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadForEachJob()) {
            await Turns.shared.take()
            defer { Turns.shared.giveBack() }
            try await function()
        }
    }
}

extension Trait where Self == OffThePool {
    /// Runs the tasks of the test on threads that other tests don't use, one such test at a time.
    package static var offThePool: Self { Self() }
}

private final class ThreadForEachJob: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue(label: "off the pool").async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Lets one task at a time continue, in the order of arrival.
private final class Turns: Sendable {
    static let shared = Turns()

    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken { state.waiting.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next = state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }
}
