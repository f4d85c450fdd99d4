import Dispatch
import Foundation
import Tidings

package final class Gate: Sendable {
    private let condition = NSCondition()
    // The variables are only accessed while the condition is locked.
    private nonisolated(unsafe) var opened = false
    private nonisolated(unsafe) var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private nonisolated(unsafe) var lastID = 0

    package init() {}

    package var isOpen: Bool { condition.withLock { unsafe opened } }

    package func open() {
        let resumed = condition.withLock {
            unsafe opened = true
            condition.broadcast()
            defer { unsafe waiting = [:] }
            return unsafe Array(waiting.values)
        }
        for continuation in resumed { continuation.resume() }
    }

    @discardableResult
    package func wait(patience: Duration) -> Bool {
        // The limit is about thirty years at most, because a condition can't wait for centuries on Linux.
        let limit = Date(timeIntervalSinceNow: min(patience / .seconds(1), 1e9))
        return condition.withLock {
            while unsafe !opened, condition.wait(until: limit) {}
            return unsafe opened
        }
    }

    /// Waits until the gate is open. Cancelling the task also ends the wait, so that a time limit can end the test.
    package func wait() async {
        let id = condition.withLock {
            unsafe lastID += 1
            return unsafe lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = condition.withLock {
                    if unsafe opened || Task.isCancelled { return false }
                    unsafe waiting[id] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            condition.withLock { unsafe waiting.removeValue(forKey: id) }?.resume()
        }
    }
}

package func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}

package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for number in 0..<count {
            group.addTask { await onThread { body(number) } }
        }
    }
}

/// Starts a task that calls `cancelAndDrain()`. When this function returns, the call has begun, and other tasks have
/// had many opportunities to run. On systems without `Task.immediate`, the task starts at one of these opportunities.
func startedDrain(
    of token: NotificationToken, then act: @escaping @Sendable () -> Void
) async -> Task<Void, Never> {
    let drain = { @Sendable in
        await token.cancelAndDrain()
        act()
    }
    let task =
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate { await drain() }
        } else {
            Task { await drain() }
        }
    await letOthersRun()
    return task
}

/// Gives ready tasks many opportunities to run. `Task.yield` runs tasks that wait for this thread. Waiting for a new
/// thread also frees the processor core for tasks on other threads.
func letOthersRun() async {
    for _ in 0..<1000 { await Task.yield() }
    for _ in 0..<8 { await onThread {} }
}

/// Identifies the main queue, on which the main actor runs. A check for the main thread isn't sufficient: on Linux, a
/// program can end the main thread, and the main queue then runs on other threads.
private let mainQueueMark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
}()

package func isOnMainActor() -> Bool { DispatchQueue.getSpecific(key: mainQueueMark) == true }
