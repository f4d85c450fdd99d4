import Foundation

/// Runs a closure on a new thread and returns when it has ended.
package func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}

/// Runs a closure on several new threads at a time, each with its number, and returns when all have ended.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for number in 0..<count {
            group.addTask { await onThread { body(number) } }
        }
    }
}
