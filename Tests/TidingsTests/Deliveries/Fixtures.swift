import Tidings
import TidingsTesting

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

/// An object whose deallocation is observable.
final class Captured: Sendable {
    func touch() {}
}

/// An actor that records what it receives, and can be awaited.
actor Ledger {
    private let received = ReceivedValues<Int>()

    var numbers: [Int] { received.values }

    func add(_ number: Int) { received.append(number) }

    nonisolated func wait(for count: Int) async { await received.wait(for: count) }

    /// Runs a closure inside the actor.
    func perform<R: Sendable>(_ body: @Sendable (isolated Ledger) -> R) -> R { body(self) }
}

/// The counterpart of a ledger on the main actor.
@MainActor
final class MainLedger {
    private let received = ReceivedValues<Int>()

    var numbers: [Int] { received.values }

    func add(_ number: Int) { received.append(number) }

    nonisolated func wait(for count: Int) async { await received.wait(for: count) }
}
