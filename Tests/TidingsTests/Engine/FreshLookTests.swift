import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Changed: TypedNotification {}
private struct Deeper: TypedNotification { let depth: Int }

private final class Flag: Sendable {
    let isSet = AtomicByte(false)
}

/// Runs jobs on the enqueuing thread. Code after `cancelAndDrain()` therefore runs inside the post whose call was
/// drained.
private final class InlineExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        // A task keeps the executor alive, so the executor outlives its jobs.
        unsafe UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}

/// Between two calls, a post can run user code that cancels the next observer.
@Suite(.offThePool) struct FreshLookTests {
    /// Calls `post` on another thread, and cancels the second observer on that thread when the first observer's call
    /// has ended. Returns the number of calls of the second observer.
    private func callsOfTheCancelled(
        _ center: NativeNotificationCenter, by post: @escaping @Sendable (NativeNotificationCenter) -> Void
    ) async -> Int {
        let (isCalled, hasPosted) = (Gate(), Gate())
        let mayEnd = Flag()
        let received = ReceivedValues<Int>()
        let first = center.addObserver(for: Changed.self) { _ in
            isCalled.open()
            while !mayEnd.isSet.load(ordering: .acquiring) {}
        }
        let second = center.addObserver(for: Changed.self) { _ in received.append(2) }
        Task.detached {
            await onOwnThread { post(center) }
            hasPosted.open()
        }
        await isCalled.wait()
        // The executor runs the task at once, so the task is already waiting for the first observer's call when
        // `Task.init` returns.
        let task = Task(executorPreference: InlineExecutor()) {
            await first.cancelAndDrain()
            second.cancel()
        }
        mayEnd.isSet.store(true, ordering: .releasing)
        await task.value
        await hasPosted.wait()
        return received.count
    }

    @Test
    func `promise 5, cancel: code that waits for a call can cancel the next observer of the same post`()
        async
    {
        #expect(await callsOfTheCancelled(NativeNotificationCenter()) { $0.post(Changed()) } == 0)
    }

    @Test func `promise 5, cancel: code that waits for a call can cancel the next observer of a deeply nested post`()
        async
    {
        let center = NativeNotificationCenter()
        let outer = center.addObserver(for: Deeper.self) { note in
            // The engine has only 64 lanes for running posts, so the innermost post has no lane.
            if note.depth < 100 { center.post(Deeper(depth: note.depth + 1)) } else { center.post(Changed()) }
        }
        #expect(await callsOfTheCancelled(center) { $0.post(Deeper(depth: 0)) } == 0)
        withExtendedLifetime(outer) {}
    }
}
