import Dispatch
package import Testing
import Tidings

/// Runs the tasks of a test on threads that other tests do not use, one such test at a time.
///
/// Tests run side by side, on as many threads as there are processors. A test whose own threads post without a pause has to
/// get on with its tasks: if these wait behind those of all other tests, what it posts piles up, and its threads keep the others waiting.
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
    /// The tasks of the test run on threads that other tests do not use, one such test at a time.
    package static var offThePool: Self { Self() }
}

private final class ThreadForEachJob: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue(label: "off the pool").async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Lets one task at a time go on, in the order in which they come.
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
