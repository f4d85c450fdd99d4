import Foundation

/// A gate that threads wait at until it is opened; once open it stays open.
package final class Latch: Sendable {
    private let condition = NSCondition()
    private nonisolated(unsafe) var isOpen = false  // only reached while the condition is locked

    package init() {}

    package func open() {
        condition.withLock {
            unsafe isOpen = true
            condition.broadcast()
        }
    }

    /// Waits until the gate is open.
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
}
