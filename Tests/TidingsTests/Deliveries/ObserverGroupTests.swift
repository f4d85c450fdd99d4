import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Other: TypedNotification {}

/// A consumer that only a group keeps alive.
private final class Projection: MessageConsumer {
    private let seen: ReceivedValues<Int>
    private let go: Gate?

    init(_ seen: ReceivedValues<Int>, waitingFor go: Gate? = nil) {
        self.seen = seen
        self.go = go
    }

    func consume(_ message: Int) async {
        await go?.wait()
        seen.append(message)
    }
}

@Suite(.timeLimit(.minutes(2))) struct ObserverGroupTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()

    @Test func `a group holds owners, consumers and tasks until it has finished`() async {
        let (group, bus, seen) = (ObserverGroup("orders"), MessageBus<Int>(), ReceivedValues<Int>())
        weak var ledger: Ledger?
        weak var consumer: Projection?
        do {
            let owner = Ledger()
            ledger = owner
            center.addObserver(owner, on: .actor, for: Numbered.self) { _, note in seen.append(note.number) }.store(
                in: group)
            let projection = Projection(seen)
            consumer = projection
            group.add(projection, to: bus)
        }
        center.addObserver(for: Numbered.self) { note in seen.append(note.number) }.store(in: group)
        group.read(center.notifications(of: Numbered.self)) { note in seen.append(note.number) }
        #expect(group.count == 4)
        #expect(ledger != nil && consumer != nil)
        #expect(center.post(Numbered(number: 1)) == 3)
        bus.dispatch(1)
        #expect(await group.finish(within: .seconds(1), clock: clock).isEmpty)
        #expect(seen.values == [1, 1, 1, 1])
        #expect(center.post(Numbered(number: 2)) == 0)
        #expect(bus.consumers.isEmpty)
        await eventually("actor and consumer are released") { ledger == nil && consumer == nil }
        #expect(group.count == 0)
    }

    @Test func `a group finishes its center first, and handles what is queued`() async {
        let (actor, seen, group) = (StoppedActor(), ReceivedValues<Int>(), ObserverGroup("orders", finishing: center))
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, note in seen.append(note.number) }.store(
            in: group)
        group.read(center.notifications(of: Numbered.self)) { note in seen.append(-note.number) }
        for number in 1...3 { center.post(Numbered(number: number)) }
        let finish = Task { [clock] in await group.finish(within: .seconds(1), clock: clock) }
        var accepted = 3
        await eventually("the center accepts no post") {
            if center.post(Numbered(number: accepted + 1)) == 0 { return true }
            accepted += 1
            return false
        }
        await actor.executor.finish { seen.count == 2 * accepted }
        #expect(await finish.value.isEmpty)
        #expect(Set(seen.values) == Set((1...accepted).flatMap { [$0, -$0] }))
    }

    @Test(arguments: [false, true])
    func `messages that observers send to consumers during a finish are handled`(finishesCenter: Bool) async {
        let group = ObserverGroup("orders", finishing: finishesCenter ? center : nil)
        let (actor, bus, sent, seen) = (StoppedActor(), MessageBus<Int>(), ReceivedValues<Int>(), ReceivedValues<Int>())
        group.add(Projection(seen), to: bus)
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, note in
            bus.dispatch(note.number)
            sent.append(note.number)
        }
        .store(in: group)
        for number in 1...3 { center.post(Numbered(number: number)) }
        let finish = Task { [clock] in await group.finish(within: .seconds(1), clock: clock) }
        await clock.waitForSleepers()
        // The finish is already waiting when the observer runs for the first time.
        await actor.executor.finish { sent.count == 3 }
        #expect(await finish.value.isEmpty)
        #expect(seen.values == [1, 2, 3])
        #expect(bus.consumers.isEmpty)
    }

    @Test(arguments: [false, true])
    func `when the time limit passes, a group returns the unfinished members, with their places`(finishesCenter: Bool)
        async
    {
        let group = ObserverGroup("orders", finishing: finishesCenter ? center : nil)
        let (actor, bus, go, seen) = (StoppedActor(), MessageBus<Int>(), Gate(), ReceivedValues<Int>())
        center.addObserver(actor, on: .actor, for: Numbered.self, line: 7) { _, note in seen.append(note.number) }
            .store(in: group)
        group.add(Projection(seen, waitingFor: go), to: bus, line: 8)
        group.read(center.notifications(of: Other.self, line: 9), line: 9) { _ in await go.wait() }
        for number in 1...2 { center.post(Numbered(number: number)) }
        center.post(Other())
        bus.dispatch(3)
        let left = await group.finish(within: .zero)
        #expect(left.map(\.place.line).sorted() == [7, 8, 9])
        #expect(left.first { $0.place.line == 7 }?.queued == 2)
        #expect(center.post(Numbered(number: 4)) == 0)
        go.open()
        // The test keeps the actor alive, so the actor still handles its queue after the finish.
        await actor.executor.finish { seen.values.contains(2) }
    }

    @Test func `a member that is added to a finished group ends at once`() async {
        let (group, bus, seen) = (ObserverGroup("orders"), MessageBus<Int>(), ReceivedValues<Int>())
        await group.finish(within: .zero)
        let token = center.addObserver(for: Numbered.self) { note in seen.append(note.number) }
        token.store(in: group)
        #expect(!token.isActive)
        group.add(Projection(seen), to: bus)
        #expect(bus.consumers.isEmpty)
        group.read(center.notifications(of: Numbered.self)) { note in seen.append(note.number) }
        weak var kept: Ledger?
        do {
            let ledger = Ledger()
            kept = ledger
            group.keep(ledger)
        }
        #expect(kept == nil)
        await eventually("posts reach no observer", { center.post(Numbered(number: 1)) }, until: { $0 == 0 })
        #expect(seen.values.isEmpty)
    }

    @Test func `a group keeps objects alive until it has finished, and its description counts its members`() async {
        let group = ObserverGroup("orders")
        weak var kept: Ledger?
        do {
            let ledger = Ledger()
            kept = ledger
            group.keep(ledger)
        }
        #expect(kept != nil)
        #expect("\(group)" == "the group \"orders\" with 0 members")
        center.addObserver(for: Numbered.self) { _ in }.store(in: group)
        #expect("\(group)" == "the group \"orders\" with 1 member")
        await group.finish(within: .seconds(1), clock: clock)
        #expect(kept == nil)
    }

    @Test func `a group that is deallocated ends its members`() async {
        let (seen, bus) = (ReceivedValues<Int>(), MessageBus<Int>())
        var group: ObserverGroup? = ObserverGroup("orders")
        if let group {
            center.addObserver(for: Numbered.self) { note in seen.append(note.number) }.store(in: group)
            group.add(Projection(seen), to: bus)
            group.read(center.notifications(of: Numbered.self)) { note in seen.append(note.number) }
        }
        group = nil
        #expect(bus.consumers.isEmpty)
        await eventually("posts reach no observer", { center.post(Numbered(number: 1)) }, until: { $0 == 0 })
        #expect(center.observations.isEmpty)
    }

    @Test func `an observer in a group can finish the group, even while other code finishes it`() async {
        let (group, done, clock) = (ObserverGroup("orders", finishing: center), ReceivedValues<Int>(), clock)
        let ledger = Ledger()
        center.addObserver(ledger, on: .actor, for: Numbered.self) { _, _ in
            done.append(await group.finish(within: .seconds(1), clock: clock).count)
        }
        .store(in: group)
        #expect(center.post(Numbered(number: 1)) == 1)
        #expect(await group.finish(within: .seconds(1), clock: clock).isEmpty)
        await done.wait(for: 1)
        #expect(done.values == [0])
        withExtendedLifetime(ledger) {}
    }

    @Test func `the finish of a group waits for a post in progress that calls the group's observer`() async {
        let (group, begun, go, seen) = (ObserverGroup("orders"), Gate(), Gate(), ReceivedValues<Int>())
        center.addObserver(for: Numbered.self) { note in
            begun.open()
            go.wait(patience: .seconds(300))
            seen.append(note.number)
        }
        .store(in: group, line: 7)
        async let posting: Void = onOwnThread { [center] in _ = center.post(Numbered(number: 1)) }
        await begun.wait()
        let finish = Task { [clock] in
            let left = await group.finish(within: .seconds(1), clock: clock)
            #expect(seen.values == [1])
            return left
        }
        await clock.waitForSleepers()
        go.open()
        #expect(await finish.value.isEmpty)
        await posting
    }
}
