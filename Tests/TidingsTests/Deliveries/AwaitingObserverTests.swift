import TestSupport
import Testing
import Tidings
import TidingsTesting

private actor Slow {
    nonisolated let log = ReceivedValues<Int>()
    private let gate: Gate

    init(until gate: Gate) { self.gate = gate }

    func handle(_ number: Int) async {
        log.append(number)
        await gate.wait()
        log.append(-number)
    }

    func note(_ number: Int) { log.append(number) }
}

@MainActor
private final class Screen {
    let log = ReceivedValues<Int>()

    func show(_ number: Int) async {
        log.append(number)
        for _ in 0..<5 { await Task.yield() }
        log.append(-number)
    }
}

private let pairs = (1...20).flatMap { [$0, -$0] }

@Suite(.timeLimit(.minutes(2))) struct AwaitingObserverTests {
    private let center = NativeNotificationCenter()
    private let tokens = Tokens()

    @Test func `an observer that awaits in an actor receives one notification at a time, in the order posted`() async {
        let gate = Gate()
        let actor = Slow(until: gate)
        center.addObserver(actor, on: .actor, for: Numbered.self) { me, note in await me.handle(note.number) }
        for number in 1...20 { center.post(Numbered(number: number)) }
        await actor.log.wait(for: 1)
        // While the call awaits, other code can use the actor, but the observer's second call doesn't begin.
        await actor.note(100)
        #expect(actor.log.values == [1, 100])
        gate.open()
        await actor.log.wait(for: 41)
        #expect(actor.log.values.filter { $0 != 100 } == pairs)
    }

    @MainActor
    @Test func `an observer that awaits on the main actor receives one notification at a time, in every overload`()
        async
    {
        let screens = (0..<5).map { _ in Screen() }
        center.addObserver(screens[0], on: .main, for: Numbered.self) { me, note in await me.show(note.number) }
        center.addObserver(screens[1], on: .main, for: Numbered.self) { me, note in
            await me.show(note.number)
        }
        tokens.append(
            center.addObserver(on: .main, for: Numbered.self) { [screen = screens[2]] note in
                await screen.show(note.number)
            })
        tokens.append(
            center.addObserver(on: .main, for: Numbered.self) { [screen = screens[3]] note in
                await screen.show(note.number)
            })
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self) { @MainActor [screen = screens[4]] note in
                await screen.show(note.number)
            })
        for number in 1..<20 { center.post(Numbered(number: number)) }
        let receipt = await center.deliver(Numbered(number: 20))
        #expect(receipt.asynchronousCalls == 5)
        for screen in screens { #expect(screen.log.values == pairs) }
    }

    @MainActor
    @Test func `an observer that awaits can be limited to a sender, in every overload`() async {
        let (mine, other, log) = (Account(), Account(), ReceivedValues<String>())
        let ledger = Ledger()
        let screen = Screen()
        func note(_ renamed: Renamed) async {
            await Task.yield()
            log.append(renamed.name)
        }
        center.addObserver(ledger, on: .actor, for: Renamed.self, sender: mine) { _, renamed in
            await Task.yield()
            log.append(renamed.name)
        }
        center.addObserver(screen, on: .main, for: Renamed.self, sender: mine) { _, renamed in await note(renamed) }
        center.addObserver(screen, on: .main, for: Renamed.self, sender: mine) { _, renamed in
            await note(renamed)
        }
        tokens.append(center.addObserver(on: .main, for: Renamed.self, sender: mine) { await note($0) })
        tokens.append(center.addObserver(on: .main, for: Renamed.self, sender: mine) { await note($0) })
        let receipts = [
            await center.deliver(Renamed(sender: other, name: "other")),
            await center.deliver(Renamed(sender: mine, name: "mine")),
        ]
        #expect(receipts.map(\.asynchronousCalls) == [0, 5])
        #expect(log.values == Array(repeating: "mine", count: 5))
    }

    @Test func `promise 2, order: calls are in the order posted, whether or not the observer awaits`() async {
        let actor = StoppedActor()
        let (seen, awaited) = (ReceivedValues<Int>(), ReceivedValues<Int>())
        let token = center.addObserver(actor, on: .actor, for: Numbered.self) { _, note in seen.append(note.number) }
        for number in 1...1000 { center.post(Numbered(number: number)) }
        await actor.executor.finish { seen.count == 1000 }
        #expect(seen.values == Array(1...1000))
        token.cancel()
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, note in
            await Task.yield()
            awaited.append(note.number)
        }
        for number in 1...10 { center.post(Numbered(number: number)) }
        await actor.executor.finish { awaited.count == 10 }
        #expect(awaited.values == Array(1...10))
    }

    @Test func `promise 5, cancel: a call that awaits continues, and the queue is discarded`() async {
        let gate = Gate()
        let actor = Slow(until: gate)
        let token = center.addObserver(actor, on: .actor, for: Numbered.self) { me, note in
            await me.handle(note.number)
            #expect(!Task.isCancelled)
        }
        for number in 1...3 { center.post(Numbered(number: number)) }
        await actor.log.wait(for: 1)
        token.cancel()
        center.post(Numbered(number: 4))
        gate.open()
        await token.cancelAndDrain()
        #expect(actor.log.values == [1, -1])
    }

    @Test func `promise 5, cancel: the queue behind a running call is discarded at once, even after quick calls`()
        async
    {
        let gate = Gate()
        let actor = Slow(until: gate)
        let token = center.addObserver(actor, on: .actor, for: Numbered.self) { me, note in
            if note.number == 0 { await me.handle(0) }
        }
        for number in 1...100 { center.post(Numbered(number: number)) }
        center.post(Numbered(number: 0))
        await actor.log.wait(for: 1)
        // Each `deliver(_:)` waits until its notification is handled.
        let waiting = (1...3).map { number in Task { [center] in await center.deliver(Numbered(number: number)) } }
        await eventually("three notifications are queued", { center.observations.first?.queued }, until: { $0 == 3 })
        token.cancel()
        for task in waiting { #expect(await task.value.asynchronousCalls == 0) }
        gate.open()
        await token.cancelAndDrain()
        // The running call has recorded its beginning and its end.
        #expect(actor.log.values == [0, 0])
    }

    @Test func `queued notifications don't keep an actor alive between two calls`() async {
        let (gate, log) = (Gate(), ReceivedValues<Int>())
        let token: NotificationToken
        do {
            let actor = Slow(until: gate)
            token = center.addObserver(actor, on: .actor, for: Numbered.self) { me, note in
                log.append(note.number)
                await me.handle(note.number)
            }
            for number in 1...3 { center.post(Numbered(number: number)) }
            await log.wait(for: 1)
            withExtendedLifetime(actor) {}
        }
        // Only the call that awaits keeps the actor alive.
        gate.open()
        await eventually("the token is cancelled") { !token.isActive }
        #expect(log.values == [1])
    }
}
