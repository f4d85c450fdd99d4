import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Other: TypedNotification {}

private final class Idle: MessageConsumer {
    func consume(_ message: Int) async {}
}

private final class Waiting: MessageConsumer {
    let go = Gate()
    let seen = ReceivedValues<Int>()

    func consume(_ message: Int) async {
        await go.wait()
        seen.append(message)
    }
}

private final class CountingClock: Clock {
    let base = ManualClock()
    private let count = Lock(0)

    var sleeps: Int { count.withLock { $0 } }
    var now: ManualClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        count.withLock { $0 += 1 }
        try await base.sleep(until: deadline, tolerance: tolerance)
    }
}

@Suite(.timeLimit(.minutes(2))) struct GroupUnfinishedTests {
    private let center = NativeNotificationCenter()
    private let elsewhere = NativeNotificationCenter()
    private let clock = ManualClock()

    /// Finishes a group, and lets the time limit pass. Returns the unfinished members.
    private func finish(_ group: ObserverGroup) async -> [ObserverGroup.Unfinished] {
        let finish = Task { [clock] in await group.finish(within: .seconds(5), clock: clock) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        return await finish.value
    }

    @Test(arguments: [false, true])
    func `a group's finish lists only unfinished members, with their queues and calls`(finishesCenter: Bool) async {
        let group = ObserverGroup("orders", finishing: finishesCenter ? center : nil)
        let (bus, begun, go, ledger) = (MessageBus<Int>(), Gate(), Gate(), Ledger())
        center.addObserver(for: Numbered.self, line: 1) { _ in }.store(in: group, line: 1)
        center.addObserver(ledger, on: .actor, for: Numbered.self, line: 2) { me, note in me.add(note.number) }
            .store(in: group)
        center.addObserver(on: .task, for: Numbered.self, line: 3) { _ in
            begun.open()
            await go.wait()
        }
        .store(in: group)
        group.read(center.notifications(of: Numbered.self, line: 4), line: 4) { _ in }
        elsewhere.addObserver(for: Other.self, line: 5) { _ in }.store(in: group, line: 5)
        elsewhere.addObserver(ledger, on: .actor, for: Other.self, line: 6) { _, _ in }.store(in: group)
        group.add(Idle(), to: bus, line: 7)
        for number in 1...3 { center.post(Numbered(number: number)) }
        await begun.wait()
        await ledger.wait(for: 3)
        let left = await finish(group)
        #expect(left.map(\.place.line) == [3])
        #expect(left.first?.queued == 2)
        #expect(left.first?.isRunning == true)
        #expect(left.first?.runningFor != nil)
        let words = left.first?.description ?? ""
        #expect(words.contains("Numbered, in a task, registered at"))
        #expect(words.contains("a call has been running for"))
        #expect(words.hasSuffix(", 2 wait"))
        go.open()
    }

    @Test func `of two observers registered on the same line, a finish returns only the unfinished one`() async {
        let group = ObserverGroup("orders", finishing: center)
        let (begun, go, done) = (Gate(), Gate(), ReceivedValues<Int>())
        for gate in [go, nil] {
            center.addObserver(on: .task, for: Numbered.self, line: 3) { note in
                begun.open()
                await gate?.wait()
                done.append(note.number)
            }
            .store(in: group)
        }
        center.post(Numbered(number: 1))
        await begun.wait()
        await done.wait(for: 1)
        #expect(await finish(group).map(\.place.line) == [3])
        go.open()
    }

    @Test func `a group waits for a consumer that was removed from its bus and added again`() async {
        let (group, bus, consumer) = (ObserverGroup("orders"), MessageBus<Int>(), Waiting())
        group.add(consumer, to: bus, line: 3)
        bus.remove(consumer)
        bus.add(consumer, line: 4)
        for number in 1...3 { bus.dispatch(number) }
        #expect(await group.finish(within: .zero).map(\.place.line) == [4])
        consumer.go.open()
        await bus.drain(within: .seconds(5), clock: clock)
        #expect(consumer.seen.values == [1, 2, 3])
    }

    @Test func `a task that reads a sequence is listed as unfinished only while it handles an element`() async {
        let (group, begun, go) = (ObserverGroup("orders", finishing: center), Gate(), Gate())
        group.read(center.notifications(of: Numbered.self), line: 3) { _ in
            begun.open()
            await go.wait()
        }
        group.read(center.notifications(of: Other.self), line: 4) { _ in }
        center.post(Numbered(number: 1))
        await begun.wait()
        let left = await finish(group)
        #expect(left.map(\.place.line) == [3])
        #expect(left.first?.isRunning == true && left.first?.queued == 0)
        #expect(left.first?.description.contains("a call has been running for") == true)
        go.open()
    }

    @Test func `a group and its center share one time limit, so the limit passes once`() async {
        let (group, clock, actor) = (ObserverGroup("orders", finishing: center), CountingClock(), StoppedActor())
        center.addObserver(actor, on: .actor, for: Numbered.self, line: 3) { _, _ in }.store(in: group)
        center.post(Numbered(number: 1))
        let left = ReceivedValues<[ObserverGroup.Unfinished]>()
        let finish = Task {
            let unfinished = await group.finish(within: .seconds(5), clock: clock)
            left.append(unfinished)
        }
        await clock.base.waitForSleepers()
        await clock.base.advance("the finish has returned", by: .seconds(5), { left.count }, until: { $0 == 1 })
        #expect(clock.sleeps == 1)
        await finish.value
        await actor.executor.finish { true }
    }

    @Test func `a time limit begins when the wait begins, even if the task that sleeps begins later`() async {
        let over = Gate()
        let limit = WaitLimit(.seconds(5), clock) { over.open() }
        clock.advance(by: .seconds(5))
        await over.wait()
        #expect(!limit.end())
    }

    @Test func `cancelling the task that finishes a group ends the wait for the group and for its center`() async {
        let (group, begun, go) = (ObserverGroup("orders", finishing: center), Gate(), Gate())
        center.addObserver(on: .task, for: Numbered.self, line: 3) { _ in
            begun.open()
            await go.wait()
        }
        .store(in: group)
        center.post(Numbered(number: 1))
        await begun.wait()
        let finish = Task { [clock] in await group.finish(within: .seconds(5), clock: clock) }
        await clock.waitForSleepers()
        finish.cancel()
        #expect(await finish.value.map(\.place.line) == [3])
        await eventually("no task sleeps", { clock.sleepers }, until: { $0 == 0 })
        go.open()
    }

    @Test func `an unfinished member that was never called is listed with its waiting time`() async {
        let (group, actor) = (ObserverGroup("orders", finishing: center), StoppedActor())
        center.addObserver(actor, on: .actor, for: Numbered.self, line: 3) { _, _ in }.store(in: group)
        center.post(Numbered(number: 1))
        let left = await finish(group)
        #expect(left.first?.isRunning == false)
        #expect(left.first?.description.contains("no call has begun for") == true)
        #expect(left.first?.description.hasSuffix(", 1 waits") == true)
        await actor.executor.finish { true }
    }

    @Test(arguments: [false, true])
    func `an observer that a running post is calling is listed as unfinished`(finishesCenter: Bool) async {
        let group = ObserverGroup("orders", finishing: finishesCenter ? center : elsewhere)
        let (begun, go) = (Gate(), Gate())
        center.addObserver(for: Numbered.self, line: 3) { _ in
            begun.open()
            go.wait(patience: .seconds(300))
        }
        .store(in: group, line: 3)
        center.addObserver(for: Other.self, line: 4) { _ in }.store(in: group, line: 4)
        async let posting: Void = onOwnThread { [center] in _ = center.post(Numbered(number: 1)) }
        await begun.wait()
        let left = await finish(group)
        #expect(left.map(\.place.line) == [3])
        #expect(left.first?.isRunning == true)
        go.open()
        await posting
    }
}
