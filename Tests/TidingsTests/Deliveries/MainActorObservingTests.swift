import TestSupport
import Testing
import Tidings
import TidingsTesting

@MainActor
@Suite(.timeLimit(.ofRandomPrograms)) struct MainActorObservingTests {
    let center = NativeNotificationCenter()
    let ledger = MainLedger()

    @Test func `a main-actor observer runs after the post, even if the post is made on the main actor`() async {
        let token = center.addObserver(on: .main, for: Numbered.self) { [ledger] in ledger.add($0.number) }
        #expect(center.post(Numbered(number: 1)) == 1)
        #expect(ledger.numbers.isEmpty)
        await ledger.wait(for: 1)
        #expect(ledger.numbers == [1])
        token.cancel()
    }

    @Test func `an observer that is added on .main, with or without a sender, is called on the main actor`() async {
        var tokens: [NotificationToken] = []
        let account = Account()
        center.addObserver(on: .main, for: Numbered.self) { [ledger] in ledger.add($0.number) }.store(in: &tokens)
        center.addObserver(ledger, on: .main, for: Numbered.self) { me, note in me.add(note.number) }
        center.addObserver(on: .main, for: Renamed.self, sender: account) { [ledger] _ in ledger.add(3) }
            .store(in: &tokens)
        center.addObserver(ledger, on: .main, for: Renamed.self, sender: account) { me, _ in me.add(4) }
        center.post(Numbered(number: 1))
        center.post(Renamed(sender: account))
        center.post(Renamed(sender: Account()))
        #expect(ledger.numbers.isEmpty)
        await ledger.wait(for: 4)
        #expect(ledger.numbers.sorted() == [1, 1, 3, 4])
        withExtendedLifetime(tokens) {}
    }

    @Test func `promise 2, order: notifications arrive on the main actor in the order posted`() async {
        let token = center.addObserver(on: .main, for: Numbered.self) { [ledger] in ledger.add($0.number) }
        let count = repetitions(20_000)
        let posting = Task.detached { [center] in
            for number in 0..<count { center.post(Numbered(number: number)) }
        }
        await ledger.wait(for: count)
        await posting.value
        #expect(ledger.numbers == Array(0..<count))
        token.cancel()
    }

    @Test func `promise 5, cancel: notifications queued for the main actor are discarded`() async {
        let token = center.addObserver(on: .main, for: Numbered.self) { [ledger] in ledger.add($0.number) }
        for number in 0..<1000 { center.post(Numbered(number: number)) }
        token.cancel()
        #expect(center.post(Numbered(number: 1000)) == 0)
        await Task.yield()
        await token.cancelAndDrain()
        #expect(ledger.numbers.isEmpty)
    }

    @Test func `cancelAndDrain on the main actor does not wait for notifications that are queued for the main actor`()
        async
    {
        let token = center.addObserver(on: .main, for: Numbered.self) { [ledger] in ledger.add($0.number) }
        for number in 0..<1000 { center.post(Numbered(number: number)) }
        await token.cancelAndDrain()
        #expect(ledger.numbers.isEmpty)
    }

    @Test func `an observer receives its owner on the main actor`() async {
        center.addObserver(ledger, on: .main, for: Numbered.self) { me, note in me.add(note.number) }
        center.post(Numbered(number: 1))
        center.post(Numbered(number: 2))
        await ledger.wait(for: 2)
        #expect(ledger.numbers == [1, 2])
    }

    @Test func `an owner can observe a single sender with a policy`() async {
        let (mine, other) = (Account(), Account())
        let token = center.addObserver(
            ledger, on: .main, for: Renamed.self, sender: mine, buffering: .latest(1)
        ) { me, note in me.add(note.name.count) }
        center.post(Renamed(sender: mine, name: "me"))
        center.post(Renamed(sender: mine, name: "you"))
        center.post(Renamed(sender: other, name: "other"))
        await ledger.wait(for: 1)
        #expect(ledger.numbers == [3])
        #expect(token.droppedCount == 1)
    }

    @Test func `promise 6, lifetime: a deallocated owner ends the observation, and its queue is discarded`() async {
        let seen = ReceivedValues<Int>()
        weak var captured: Captured?
        let token: NotificationToken
        do {
            let owner = MainLedger()
            let object = Captured()
            captured = object
            token = center.addObserver(owner, on: .main, for: Numbered.self) { _, note in
                object.touch()
                seen.append(note.number)
            }
            center.post(Numbered(number: 1))
            #expect(token.isActive)
            // The loop waits for two tasks that are created after the observer's task. So after the loop, the
            // observer's task waits for the main actor.
            for _ in 0..<2 { Self.waitForTask() }
        }
        #expect(!token.isActive)
        center.post(Numbered(number: 2))
        await eventually("the captured object is released") { captured == nil }
        #expect(seen.values.isEmpty)
        #expect(center.post(Numbered(number: 3)) == 0)
    }

    /// Blocks the main actor until a task has run elsewhere.
    private static func waitForTask() {
        let gate = Gate()
        Task.detached { gate.open() }
        gate.wait(patience: .seconds(600))
    }

    @Test func `promise 6, lifetime: captures of a cancelled main-actor observer are released`() async {
        weak var captured: Captured?
        let token: NotificationToken
        do {
            let object = Captured()
            captured = object
            token = center.addObserver(on: .main, for: Numbered.self) { _ in object.touch() }
        }
        #expect(captured != nil)
        token.cancel()
        #expect(captured == nil)
    }
}
