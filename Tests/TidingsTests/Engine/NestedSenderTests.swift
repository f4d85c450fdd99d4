import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Nested: TypedNotification { let depth: Int }
private struct From<Sender>: TypedNotification { let sender: Sender }
private struct OfValue: TypedNotification { let sender: String }
private struct Plain: TypedNotification {}
private struct Shapeless: Sendable {}

/// The engine records up to 64 running posts in lanes. Posts that are nested more deeply have no lane, and call copies
/// of the observers' closures.
@Suite(.timeLimit(.minutes(2))) struct NestedSenderTests {
    /// Calls a closure in which posts have no lane.
    private func nested(_ post: @escaping @Sendable () -> Void) {
        let (center, depth) = (NativeNotificationCenter(), 80)
        let token = center.addObserver(for: Nested.self) { note in
            if note.depth < depth { center.post(Nested(depth: note.depth + 1)) } else { post() }
        }
        center.post(Nested(depth: 1))
        token.cancel()
    }

    /// Returns whether an observer of the first sender receives a nested post from the second.
    private func hears<Sender: Sendable>(_ observed: Sender, _ posted: Sender) -> Bool {
        let (center, calls) = (NativeNotificationCenter(), ReceivedValues<Int>())
        let tokens = [
            center.addObserver(for: From<Sender>.self, sender: observed) { _ in },
            center.addObserver(for: From<Sender>.self) { _ in },
        ]
        nested { calls.append(center.post(From(sender: posted))) }
        withExtendedLifetime(tokens) {}
        #expect(calls.values == [1] || calls.values == [2])
        return calls.values == [2]
    }

    @Test func `promise 7, senders: a post without a lane distinguishes senders as other posts do`() {
        let account = Account()
        #expect(hears(account, account) && !hears(account, Account()))
        #expect(hears(account as Account?, account) && !hears(account as Account?, Account()))
        #expect(!hears(account as Account?, nil) && hears(nil as Account?, account))
        #expect(hears(account as any Sendable, account) && !hears(account as any Sendable, 1))
        #expect(hears(1 as any Sendable, 1) && !hears(1 as any Sendable, 2) && !hears(1 as any Sendable, 1.0))
        #expect(hears(1 as Int?, 1) && !hears(1 as Int?, 2) && !hears(1 as Int?, nil))
        #expect(!hears(Shapeless(), Shapeless()) && !hears(1 as any Sendable, Shapeless()))
        #expect(hears((), ()))
    }

    @Test func `a post without a lane calls observers with and without a sender in the order of registration`() {
        let (center, received) = (NativeNotificationCenter(), ReceivedValues<Int>())
        let senders = ["a", nil, "b", "a", nil, nil, "a"]
        let tokens = senders.enumerated().map { number, sender in
            center.addObserver(for: OfValue.self, sender: sender) { _ in received.append(number) }
        }
        nested { center.post(OfValue(sender: "a")) }
        #expect(received.values == [0, 1, 3, 4, 5, 6])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a post without a lane on a finished center calls no observer, and monitors receive it`() async {
        let (center, monitor) = (NativeNotificationCenter(), RecordingMonitor())
        let token = center.addObserver(for: Plain.self) { _ in }
        await center.finish(within: .seconds(600))
        let attachment = center.attach(monitor)
        nested { center.post(Plain()) }
        #expect(monitor.words == ["posted to 0"])
        withExtendedLifetime((attachment, token)) {}
    }
}
