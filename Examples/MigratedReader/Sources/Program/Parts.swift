import Foundation

/// A log of entries in the order in which they were added.
package actor ActivityLog {
    package private(set) var entries: [String] = []
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    package init() {}

    package func add(_ entry: String) {
        entries.append(entry)
        for waiter in waiting where waiter.count <= entries.count { waiter.continuation.resume() }
        waiting.removeAll { $0.count <= entries.count }
    }

    /// Returns the entries as soon as there are at least the given number.
    package func entries(_ count: Int) async -> [String] {
        if entries.count < count { await withCheckedContinuation { waiting.append((count, $0)) } }
        return entries
    }
}

/// The text on the app's icon.
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

    /// Returns the text as soon as there is one.
    package func shown() async -> String {
        if text.isEmpty { await withCheckedContinuation { waiting.append($0) } }
        return text
    }
}

/// A number that any thread may change.
package final class Counter: @unchecked Sendable {  // the number is only used while the lock is held
    private let lock = NSLock()
    private var number: Int

    package init(_ number: Int) { self.number = number }

    package var value: Int { lock.withLock { number } }
    package func add(_ amount: Int) { lock.withLock { number += amount } }
}
