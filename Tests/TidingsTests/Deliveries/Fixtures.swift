import TestSupport
import Tidings

/// A notification with a number.
struct Numbered: TypedNotification {
    let number: Int
}

/// A notification about a sender.
struct Renamed: TypedNotification {
    let sender: Account
    var name = ""
}

final class Account: Sendable {}

/// An object whose end can be seen.
final class Captured: Sendable {
    func touch() {}
}

/// An actor that remembers what it was given, and can be waited for.
actor Ledger {
    private(set) var numbers: [Int] = []
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func add(_ number: Int) {
        numbers.append(number)
        for entry in waiting where entry.count <= numbers.count { entry.continuation.resume() }
        waiting.removeAll { $0.count <= numbers.count }
    }

    func wait(for count: Int) async {
        if numbers.count >= count { return }
        await withCheckedContinuation { waiting.append((count, $0)) }
    }

    /// Runs something inside the actor.
    func perform<R: Sendable>(_ body: @Sendable (isolated Ledger) -> R) -> R { body(self) }
}

/// The main actor's counterpart of a ledger.
@MainActor
final class MainLedger {
    private(set) var numbers: [Int] = []
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func add(_ number: Int) {
        numbers.append(number)
        for entry in waiting where entry.count <= numbers.count { entry.continuation.resume() }
        waiting.removeAll { $0.count <= numbers.count }
    }

    func wait(for count: Int) async {
        if numbers.count >= count { return }
        await withCheckedContinuation { waiting.append((count, $0)) }
    }
}
