import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Other: TypedNotification {}

private final class Tally: Sendable {
    let calls = Atomic(0)
    let reached = Atomic(0)
    let hasReturned = AtomicByte(false)

    func note() {
        if hasReturned.load(ordering: .sequentiallyConsistent) { Issue.record("called after finish returned") }
        calls.wrappingAdd(1, ordering: .relaxed)
    }
}

@Suite(.offThePool) struct FinishedCenterTests {
    private let center = NativeNotificationCenter()
    private let tokens = Tokens()

    @Test func `an observer that is added to a finished center has ended, and keeps nothing alive`() async {
        let (account, owner) = (Account(), Ledger())
        tokens.append(center.addObserver(for: Numbered.self) { _ in })
        await center.finish(within: .zero)
        var captured: Captured? = Captured()
        weak let released = captured
        let added = [
            center.addObserver(for: Numbered.self) { [captured] _ in captured?.touch() },
            center.addObserver(for: Renamed.self, sender: account) { [captured] _ in captured?.touch() },
            center.addObserver(for: Other.self) { [captured] _ in captured?.touch() },
            center.addObserver(owner, for: Numbered.self) { [captured] _, _ in captured?.touch() },
            center.addObserver(owner, on: .actor, for: Numbered.self) { [captured] _, _ in captured?.touch() },
            center.addObserver(on: .main, for: Other.self) { [captured] _ in captured?.touch() },
            center.addObserver(on: .task, for: Numbered.self) { [captured] _ in captured?.touch() },
        ]
        captured = nil
        #expect(released == nil)
        #expect(added.map(\.isActive) == Array(repeating: false, count: 7))
        #expect(center.post(Numbered(number: 1)) == 0)
        #expect(center.post(Renamed(sender: account)) == 0)
        #expect(center.post(Other()) == 0)
        #expect(center.observations.isEmpty)
        for token in added { await token.cancelAndDrain() }
        withExtendedLifetime(owner) {}
    }

    @Test func `a sequence of a finished center is empty, and first(of:) returns nil`() async {
        await center.finish(within: .zero)
        for await _ in center.notifications(of: Numbered.self) { Issue.record("received a notification") }
        for await _ in center.notifications(of: Numbered.self, Other.self) { Issue.record("received a notification") }
        #expect(await center.first(of: Numbered.self) == nil)
    }

    @Test func `the receipt of a delivery on a finished center is complete, and counts no observers`() async {
        let actor = Ledger()
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        await center.finish(within: .seconds(1))
        let receipt = await center.deliver(Numbered(number: 1))
        #expect(receipt.observers == 0)
        #expect(receipt.asynchronousCalls == 0)
        #expect(receipt.isComplete)
        withExtendedLifetime(actor) {}
    }

    @Test func `a monitor receives the registration and the end of an observer that is added after the finish`() async {
        await center.finish(within: .zero)
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        tokens.append(center.addObserver(for: Numbered.self) { _ in })
        #expect(monitor.words == ["registered", "ended"])
        attachment.detach()
    }

    @Test func `finishing or draining a forwarding center finishes or drains its underlying center`() async {
        let forwarding = ForwardingCenter(to: ForwardingCenter(to: center))
        let recorder = RecordingNotificationCenter(forwardingTo: forwarding)
        let (actor, seen) = (StoppedActor(), ReceivedValues<Int>())
        recorder.addObserver(actor, on: .actor, for: Numbered.self, line: 7) { _, note in seen.append(note.number) }
        recorder.post(Numbered(number: 1))
        let all: [any TypedNotificationCenter] = [center, forwarding, recorder]
        for center in all {
            #expect(await center.drain(within: .zero).map(\.place.line) == [7])
            #expect(await center.finish(within: .zero).map(\.place.line) == [7])
            #expect(center.post(Numbered(number: 2)) == 0)
        }
        #expect(recorder.posted(Numbered.self).map(\.number) == [1, 2])
        #expect(recorder.observers.isEmpty)
        await actor.executor.finish { seen.count == 1 }
        #expect(await recorder.finish(within: .seconds(1)).isEmpty)
    }

    @Test func `finish has no effect on a custom center without an underlying center`() async {
        let simple = SimpleCenter()
        let seen = ReceivedValues<Int>()
        tokens.append(simple.addObserver(for: Numbered.self) { note in seen.append(note.number) })
        #expect(await simple.finish(within: .zero).isEmpty)
        #expect(simple.post(Numbered(number: 1)) == 1)
        tokens.cancel()
    }

    @Test(arguments: [false, true])
    func `a post that races with a finish calls all its observers before finish returns, or no observer`(
        isMonitored: Bool
    ) async {
        for round in 0..<40 {
            let center = NativeNotificationCenter()
            let attachment = isMonitored ? center.attach(RecordingMonitor()) : nil
            let (account, ledger) = (Account(), Ledger())
            let tally = Tally()
            let tokens = Tokens()
            let isFinishing = Gate()
            // Depending on the round, all, none or half of these observers are limited to a sender.
            let filtered = round % 3 == 0 ? 0 : 35
            let unfiltered = round % 3 == 1 ? 0 : 35
            for _ in 0..<35 {
                if filtered > 0 {
                    tokens.append(center.addObserver(for: Renamed.self, sender: account) { _ in tally.note() })
                }
                if unfiltered > 0 { tokens.append(center.addObserver(for: Renamed.self) { _ in tally.note() }) }
            }
            center.addObserver(ledger, on: .actor, for: Renamed.self) { ledger, _ in ledger.add(1) }
            let count = filtered + unfiltered + 1
            await withTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        await onOwnThread {
                            for number in 0... {
                                // Before the finish, a thread posts at most 200 times, which limits the ledger's queue.
                                if number == 200 { isFinishing.wait(patience: .seconds(300)) }
                                let posted = center.post(Renamed(sender: account))
                                if posted == 0 { return }
                                if posted != count { Issue.record("\(posted) of \(count) observers were called") }
                                tally.reached.wrappingAdd(1, ordering: .relaxed)
                            }
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<round % 7 { await Task.yield() }
                    isFinishing.open()
                    let left = await center.finish(within: .seconds(600))
                    tally.hasReturned.store(true, ordering: .sequentiallyConsistent)
                    if !left.isEmpty { Issue.record("\(left.count) observers have not finished") }
                }
            }
            let posts = tally.reached.load(ordering: .relaxed)
            #expect(tally.calls.load(ordering: .relaxed) == posts * (count - 1))
            #expect(await ledger.numbers.count == posts)
            attachment?.detach()
        }
    }

    @Test func `no observer is left if a task posts and adds observers while another task finishes the center`() async {
        for _ in 0..<50 {
            let center = NativeNotificationCenter()
            let account = Account()
            await withTaskGroup { group in
                group.addTask {
                    for number in 0..<100 {
                        let token =
                            number.isMultiple(of: 2)
                            ? center.addObserver(for: Renamed.self) { _ in }
                            : center.addObserver(for: Renamed.self, sender: account) { _ in }
                        center.post(Renamed(sender: account))
                        token.cancel()
                    }
                }
                group.addTask {
                    await Task.yield()
                    _ = await center.finish(within: .seconds(600))
                }
            }
            #expect(center.post(Renamed(sender: account)) == 0)
            #expect(center.observations.isEmpty)
        }
    }
}
