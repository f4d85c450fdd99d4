import Tidings
import TidingsTesting

package struct Numbered: TypedNotification, Sendable {
    package let number: Int

    package init(number: Int) { self.number = number }
}

package struct Renamed: TypedNotification, Sendable {
    package let sender: Account
    package var name: String

    package init(sender: Account, name: String = "") {
        self.sender = sender
        self.name = name
    }
}

package final class Account: Sendable {
    package init() {}
}

package final class Captured: Sendable {
    package init() {}

    package func touch() {}
}

package actor Ledger {
    private let received = ReceivedValues<Int>()

    package init() {}

    package var numbers: [Int] { received.values }

    package func add(_ number: Int) { received.append(number) }

    package nonisolated func wait(for count: Int) async { await received.wait(for: count) }

    package func perform<R: Sendable>(_ body: @Sendable (isolated Ledger) -> R) -> R { body(self) }
}

@MainActor
package final class MainLedger {
    private let received = ReceivedValues<Int>()

    package nonisolated init() {}

    package var numbers: [Int] { received.values }

    package func add(_ number: Int) { received.append(number) }

    package nonisolated func wait(for count: Int) async { await received.wait(for: count) }
}
