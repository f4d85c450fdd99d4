import Foundation

/// What has happened, in the order in which it happened.
package actor ActivityLog {
    package private(set) var entries: [String] = []
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    package init() {}

    package func add(_ entry: String) {
        entries.append(entry)
        for waiter in waiting where waiter.count <= entries.count { waiter.continuation.resume() }
        waiting.removeAll { $0.count <= entries.count }
    }

    /// The entries, as soon as there are so many.
    package func entries(_ count: Int) async -> [String] {
        if entries.count < count { await withCheckedContinuation { waiting.append((count, $0)) } }
        return entries
    }
}

/// What the app's icon shows.
@MainActor
package final class Badge {
    package private(set) var text = ""
    private var waiting: [CheckedContinuation<Void, Never>] = []

    nonisolated package init() {}

    package func show(_ text: String) {
        self.text = text
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// The text, as soon as there is one.
    package func shown() async -> String {
        if text.isEmpty { await withCheckedContinuation { waiting.append($0) } }
        return text
    }
}

/// A number that any thread may change.
package final class Counter: @unchecked Sendable {  // the number is only touched under the lock
    private let lock = NSLock()
    private var number: Int

    package init(_ number: Int) { self.number = number }

    package var value: Int { lock.withLock { number } }
    package func add(_ amount: Int) { lock.withLock { number += amount } }
}
