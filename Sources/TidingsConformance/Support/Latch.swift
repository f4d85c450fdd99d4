import Foundation

/// A gate that threads and tasks wait at until it is opened; once open it stays open.
package final class Latch: Sendable {
    private let condition = NSCondition()
    // Only reached while the condition is locked.
    private nonisolated(unsafe) var isOpen = false
    // As above.
    private nonisolated(unsafe) var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    package func open() {
        let resumed = condition.withLock {
            unsafe isOpen = true
            condition.broadcast()
            defer { unsafe waiting = [] }
            return unsafe waiting
        }
        for continuation in resumed { continuation.resume() }
    }

    /// Waits on this thread until the gate is open.
    ///
    /// - Parameter patience: After how long to give up.
    /// - Returns: Whether the gate is open.
    @discardableResult
    package func wait(patience: Duration) -> Bool {
        let limit = Date(timeIntervalSinceNow: patience / .seconds(1))
        return condition.withLock {
            while unsafe !isOpen {
                if !condition.wait(until: limit) { return unsafe isOpen }
            }
            return true
        }
    }

    /// Suspends until the gate is open.
    package func wait() async {
        await withCheckedContinuation { continuation in
            condition.lock()
            let isOpen = unsafe isOpen
            if !isOpen { unsafe waiting.append(continuation) }
            condition.unlock()
            if isOpen { continuation.resume() }
        }
    }
}
