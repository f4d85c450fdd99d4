import Dispatch
import Foundation

/// A gate at which threads and tasks wait until it is opened. It stays open.
package final class Gate: Sendable {
    private let condition = NSCondition()
    // Only accessed while the condition is locked.
    private nonisolated(unsafe) var opened = false
    // Only accessed while the condition is locked.
    private nonisolated(unsafe) var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    // Only accessed while the condition is locked.
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

    /// Blocks this thread until the gate is open, or the time is over. Returns whether the gate is open.
    @discardableResult
    package func wait(patience: Duration) -> Bool {
        let limit = Date(timeIntervalSinceNow: patience / .seconds(1))
        return condition.withLock {
            while unsafe !opened {
                if !condition.wait(until: limit) { return unsafe opened }
            }
            return true
        }
    }

    /// Suspends until the gate is open. Cancelling the task also ends the wait, so that a time limit can end the test.
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

/// Runs a closure on several new threads, each with its number, and returns when all have ended.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for number in 0..<count {
            group.addTask { await onThread { body(number) } }
        }
    }
}

/// Starts a task that has reached its first suspension or its end when this function returns. On systems that can't
/// start a task immediately, the task gets many opportunities to run.
func startedTask(_ body: @escaping @Sendable () async -> Void) async -> Task<Void, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        return Task.immediate { await body() }
    }
    let task = Task { await body() }
    await letOthersRun()
    return task
}

/// Gives ready tasks many opportunities to run.
///
/// The yields let tasks run that wait for this thread. A task on another thread may wait for the only core, which a
/// yield doesn't give up, but a wait for a new thread does.
func letOthersRun() async {
    for _ in 0..<1000 { await Task.yield() }
    for _ in 0..<8 { await onThread {} }
}

/// Marks the main queue, on which the main actor runs. On Linux, that may not be the main thread, which a program can
/// leave.
private let mainQueueMark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
}()

package func isOnMainActor() -> Bool { DispatchQueue.getSpecific(key: mainQueueMark) == true }
