import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Refused: Error, Equatable {
    let number: Int
}

/// Receives numbers, and throws as many errors for each number as `refusing` specifies.
private actor Mailer {
    let calls = ReceivedValues<Int>()
    private var refusals: [Int: Int]

    init(refusing refusals: [Int: Int] = [:]) { self.refusals = refusals }

    func send(_ number: Int) throws {
        calls.append(number)
        guard let left = refusals[number], left > 0 else { return }
        refusals[number] = left - 1
        throw Refused(number: number)
    }
}

@Suite(.timeLimit(.minutes(2))) struct RetryTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()

    private func observe(
        _ mailer: Mailer, after delays: [Duration], then last: FailureResponse = .report, keepingOrder: Bool = true,
        buffering policy: BufferingPolicy = .unbounded
    ) -> NotificationToken {
        center.addObserver(
            mailer, on: .actor, for: Numbered.self, buffering: policy,
            onFailure: .retry(after: delays, then: last, keepingOrder: keepingOrder, clock: clock)
        ) { me, note in try me.send(note.number) }
    }

    private func post(_ numbers: ClosedRange<Int>) {
        for number in numbers { center.post(Numbered(number: number)) }
    }

    @Test func `an observer is called again after each delay until it does not throw, and later notifications wait`()
        async
    {
        let mailer = Mailer(refusing: [1: 2])
        _ = observe(mailer, after: [.seconds(1), .seconds(10)])
        post(1...3)
        await clock.waitForSleepers()
        #expect(mailer.calls.values == [1])
        let status = center.observations[0]
        #expect(status.queued == 3 && status.retrying == 1 && status.failed == 0 && !status.isRunning)
        clock.advance(by: .seconds(1))
        await mailer.calls.wait(for: 2)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(9))
        #expect(mailer.calls.values == [1, 1])
        clock.advance(by: .seconds(1))
        await mailer.calls.wait(for: 5)
        #expect(mailer.calls.values == [1, 1, 1, 2, 3])
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(center.statistics[Numbered.self]?.failures == 0)
        #expect(clock.sleepers == 0)
    }

    @Test func `if the last retry throws, the notification counts as failed, and the configured response follows`()
        async
    {
        let (mailer, errors) = (Mailer(refusing: [1: .max]), ReceivedValues<Int>())
        let last = FailureResponse.call { error in errors.append((error as? Refused)?.number ?? 0) }
        _ = observe(mailer, after: [.seconds(1)], then: last)
        post(1...2)
        await clock.waitForSleepers()
        #expect(errors.values.isEmpty)
        clock.advance(by: .seconds(1))
        await mailer.calls.wait(for: 3)
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(mailer.calls.values == [1, 1, 2] && errors.values == [1])
        #expect(center.statistics[Numbered.self]?.failures == 1)
        #expect(center.observations[0].failed == 1 && center.observations[0].retrying == 0)
    }

    @Test func `a notification whose observer threw is counted as failed, even if it is not retried`() async {
        let token = center.addObserver(on: .task, for: Numbered.self) { throw Refused(number: $0.number) }
        await center.deliver(Numbered(number: 1))
        post(2...3)
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(center.statistics[Numbered.self]?.failures == 3)
        #expect(center.observations[0].failed == 3)
        #expect("\(center.statistics)".hasSuffix("Numbered  3      3           0      3"))
        withExtendedLifetime(token) {}
    }

    @Test func `if the order is not kept, the observer is called with other notifications in the meantime`() async {
        let mailer = Mailer(refusing: [1: 1, 2: 2])
        _ = observe(mailer, after: [.seconds(1), .seconds(5)], keepingOrder: false)
        post(1...4)
        await mailer.calls.wait(for: 4)
        await clock.waitForSleepers(2)
        #expect(mailer.calls.values == [1, 2, 3, 4])
        let left = await center.drain(within: .zero)
        #expect(left.map(\.queued) == [2] && left.map(\.retrying) == [2])
        clock.advance(by: .seconds(1))
        await mailer.calls.wait(for: 6)
        #expect(Set(mailer.calls.values[4...]) == [1, 2])
        await clock.waitForSleepers()
        post(5...5)
        await mailer.calls.wait(for: 7)
        clock.advance(by: .seconds(5))
        await mailer.calls.wait(for: 8)
        #expect(Array(mailer.calls.values[6...]) == [5, 2])
        #expect(await center.drain(within: .seconds(600)).isEmpty)
    }

    @Test func `a drain waits for a retry, even if later notifications were handled`() async {
        let mailer = Mailer(refusing: [1: 1])
        _ = observe(mailer, after: [.seconds(1)], keepingOrder: false)
        post(1...1)
        await clock.waitForSleepers()
        let drain = Task { [center] in await center.drain(within: .seconds(600)) }
        post(2...9)
        await mailer.calls.wait(for: 9)
        clock.advance(by: .seconds(1))
        #expect(await drain.value.isEmpty)
        #expect(mailer.calls.values == [1, 2, 3, 4, 5, 6, 7, 8, 9, 1])
    }

    @Test func `a delivery waits for the last retry, and its receipt contains only the last error`() async {
        let mailer = Mailer(refusing: [1: 1, 2: 2])
        _ = observe(mailer, after: [.seconds(1)])
        for (number, failures) in [(1, []), (2, [Refused(number: 2)])] {
            let delivery = Task { [center] in await center.deliver(Numbered(number: number)) }
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            let receipt = await delivery.value
            #expect(receipt.isComplete && receipt.asynchronousCalls == 1)
            #expect(receipt.failures.map { $0.error as? Refused } == failures)
        }
    }

    @Test(arguments: [true, false])
    func `cancelling the token discards a pending retry, and releases its timer`(keepsOrder: Bool) async {
        let mailer = Mailer(refusing: [1: .max])
        let token = observe(mailer, after: [.seconds(1)], keepingOrder: keepsOrder)
        let delivery = Task { [center] in await center.deliver(Numbered(number: 1)) }
        await clock.waitForSleepers()
        token.cancel()
        let receipt = await delivery.value
        #expect(receipt.isComplete && receipt.discardedCalls == 1)
        #expect(clock.sleepers == 0)
        #expect(mailer.calls.values == [1])
    }

    @Test func `a pending retry is discarded when the owner is deallocated`() async {
        var mailer: Mailer? = Mailer(refusing: [1: .max])
        let calls = mailer?.calls
        if let mailer { _ = observe(mailer, after: [.seconds(1)]) }
        let delivery = Task { [center] in await center.deliver(Numbered(number: 1)) }
        await clock.waitForSleepers()
        weak let last = mailer
        mailer = nil
        await eventually("the owner is released") { last == nil }
        clock.advance(by: .seconds(1))
        #expect(await delivery.value.discardedCalls == 1)
        #expect(calls?.values == [1])
        #expect(center.observations.isEmpty)
    }

    @Test func `a delivery, a finish and a poster do not wait long for an owner that was deallocated before a retry`()
        async throws
    {
        var mailer: Mailer? = Mailer(refusing: [1: .max])
        if let mailer { _ = observe(mailer, after: [.seconds(3_600)], buffering: .backPressure(1)) }
        let delivery = Task { [center] in await center.deliver(Numbered(number: 1)) }
        await clock.waitForSleepers()
        post(2...2)
        let poster = Task { [center] in try await center.postWaitingForRoom(Numbered(number: 3)) }
        let other = ManualClock()
        let finish = Task { [center] in await center.finish(within: .seconds(600), clock: other) }
        await other.waitForSleepers()
        weak let last = mailer
        mailer = nil
        await eventually("the owner is released") { last == nil }
        clock.advance(by: .seconds(1))
        #expect(await delivery.value.discardedCalls == 1)
        #expect(await finish.value.isEmpty)
        #expect(try await poster.value == 0)
        #expect(clock.sleepers == 0)
    }

    @Test func `a finish does not wait for a deallocated owner`() async {
        var mailer: Mailer? = Mailer(refusing: [1: .max])
        if let mailer { _ = observe(mailer, after: [.seconds(3_600)]) }
        post(1...1)
        await clock.waitForSleepers()
        weak let last = mailer
        mailer = nil
        await eventually("the owner is released") { last == nil }
        #expect(await center.finish(within: .zero).isEmpty)
    }

    @Test func `dropping or cancelling a pending retry ends its timer`() async {
        let mailer = Mailer(refusing: Dictionary(uniqueKeysWithValues: (1...10).map { ($0, .max) }))
        let token = observe(mailer, after: [.seconds(3_600)], keepingOrder: false, buffering: .latest(3))
        for number in 1...10 {
            post(number...number)
            await mailer.calls.wait(for: number)
            await clock.waitForSleepers(min(number, 3))
        }
        await eventually("at most three tasks sleep", { clock.sleepers }, until: { $0 <= 3 })
        #expect(center.observations[0].retrying == 3 && token.droppedCount == 7)
        token.cancel()
        await eventually("no task sleeps", { clock.sleepers }, until: { $0 == 0 })
    }

    @Test func `each notification is counted once, as dropped, failed or queued, even while others arrive`() async {
        let token = center.addObserver(
            on: .task, for: Numbered.self, buffering: .latest(1),
            onFailure: .retry(after: [.seconds(3_600)], keepingOrder: false, clock: clock)
        ) { throw Refused(number: $0.number) }
        let count = 30_000
        post(1...count)
        // `queued` also counts a notification that hasn't failed yet, so the test waits until the last call has failed.
        await eventually("the last notification waits for its retry") {
            let status = center.observations[0]
            return status.retrying == 1 && !status.isRunning
        }
        let status = center.observations[0]
        #expect(status.queued == 1 && status.dropped + status.failed == count - 1)
        token.cancel()
    }

    @Test(arguments: [true, false])
    func `retries and later notifications don't shorten the reported wait of the oldest notification`(keepsOrder: Bool)
        async
    {
        let mailer = Mailer(refusing: [1: 3])
        _ = observe(mailer, after: [.seconds(1), .seconds(1), .seconds(1)], keepingOrder: keepsOrder)
        post(1...1)
        func wait() -> Duration { center.observations[0].oldestWait ?? .zero }
        await clock.waitForSleepers()
        await eventually("the notification has waited", { wait() }, until: { $0 > .milliseconds(20) })
        for calls in 2...3 {
            let before = wait()
            post(calls...calls)
            #expect(wait() >= before)
            clock.advance(by: .seconds(1))
            await eventually("the notification is retried") { mailer.calls.values.count { $0 == 1 } == calls }
            await clock.waitForSleepers()
            #expect(wait() >= before)
        }
    }

    @Test(arguments: [true, false])
    func `a finish waits for a retry, and lists the observer if the finish runs out of time`(keepsOrder: Bool) async {
        let mailer = Mailer(refusing: [1: 2])
        _ = observe(mailer, after: [.seconds(5), .seconds(5)], keepingOrder: keepsOrder)
        post(1...2)
        await clock.waitForSleepers()
        if !keepsOrder { await mailer.calls.wait(for: 2) }
        let early = await center.finish(within: .zero)
        #expect(early.map(\.retrying) == [1] && early.map(\.queued) == [keepsOrder ? 2 : 1])
        let finish = Task { [center, clock] in await center.finish(within: .seconds(600), clock: clock) }
        await clock.waitForSleepers(2)
        for count in [keepsOrder ? 2 : 3, 4] {
            clock.advance(by: .seconds(5))
            await mailer.calls.wait(for: count)
            if count < 4 { await clock.waitForSleepers(2) }
        }
        #expect(await finish.value.isEmpty)
        #expect(mailer.calls.values == (keepsOrder ? [1, 1, 1, 2] : [1, 2, 1, 1]))
    }

    @Test func `a pending retry is made even if the center has been released`() async {
        let (mailer, clock) = (Mailer(refusing: [1: 1]), clock)
        do {
            let center = NativeNotificationCenter()
            center.addObserver(
                mailer, on: .actor, for: Numbered.self, onFailure: .retry(after: [.seconds(1)], clock: clock)
            ) { me, note in try me.send(note.number) }
            center.post(Numbered(number: 1))
            await clock.waitForSleepers()
        }
        clock.advance(by: .seconds(1))
        await mailer.calls.wait(for: 2)
        #expect(mailer.calls.values == [1, 1])
    }

    @Test func `if the last retry throws, the configured response can end the observation`() async {
        let mailer = Mailer(refusing: [1: .max])
        let token = observe(mailer, after: [.seconds(1)], then: .end)
        post(1...3)
        await clock.waitForSleepers()
        #expect(token.isActive)
        clock.advance(by: .seconds(1))
        await mailer.calls.wait(for: 2)
        await eventually("the token is cancelled") { !token.isActive }
        #expect(mailer.calls.values == [1, 1])
    }

    @Test func `an empty list of delays and a delay that is not positive are valid`() async {
        let mailer = Mailer(refusing: [1: 3, 2: 1])
        let token = center.addObserver(
            mailer, on: .actor, for: Numbered.self,
            onFailure: .retry(
                after: [.seconds(-1), .zero], then: .retry(after: [.nanoseconds(1)], then: .retry(after: [])))
        ) { me, note in try me.send(note.number) }
        post(1...2)
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(mailer.calls.values == [1, 1, 1, 1, 2, 2])
        #expect(center.statistics[Numbered.self]?.failures == 0)
        withExtendedLifetime(token) {}
    }

    @Test func `if the order is kept, a pending retry doesn't count toward the limit of the queue`() async {
        let mailer = Mailer(refusing: [1: 1])
        let token = observe(mailer, after: [.seconds(1)], buffering: .oldest(2))
        post(1...1)
        await clock.waitForSleepers()
        post(2...4)
        #expect(token.droppedCount == 1)
        clock.advance(by: .seconds(1))
        await mailer.calls.wait(for: 4)
        #expect(mailer.calls.values == [1, 1, 2, 3])
    }

    @Test
    func `if the order is not kept, pending retries count toward the queue's limit, and the oldest is dropped first`()
        async
    {
        let mailer = Mailer(refusing: [1: .max, 2: 1, 3: 1])
        let token = observe(mailer, after: [.seconds(1)], keepingOrder: false, buffering: .latest(2))
        for number in 1...3 {
            post(number...number)
            await mailer.calls.wait(for: number)
            // Dropping a notification ends its timer, so at most two tasks sleep.
            await clock.waitForSleepers(min(number, 2))
        }
        // The third notification replaced the first, and the fourth replaces the second.
        await eventually("two notifications are retried", { center.observations[0].retrying }, until: { $0 >= 2 })
        post(4...4)
        await mailer.calls.wait(for: 4)
        clock.advance(by: .seconds(1))
        await mailer.calls.wait(for: 5)
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(mailer.calls.values == [1, 2, 3, 4, 3])
        #expect(token.droppedCount == 2 && center.statistics[Numbered.self]?.failures == 0)
    }

    @Test(arguments: [true, false])
    func `monitors receive each error, and all calls of a notification share one delivery ID`(isDelivered: Bool) async {
        let (mailer, monitor) = (Mailer(refusing: [1: 1]), RecordingMonitor())
        let attachment = center.attach(monitor)
        let token = observe(mailer, after: [.seconds(1)])
        let delivery = Task { [center] in
            if isDelivered { await center.deliver(Numbered(number: 1)) } else { center.post(Numbered(number: 1)) }
        }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await mailer.calls.wait(for: 2)
        await delivery.value
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(monitor.failures.map { $0.error as? Refused } == [Refused(number: 1)])
        #expect(monitor.deliveries.count == 2 && Set(monitor.deliveries.map(\.id)).count == 1)
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `a bus consumer receives a message again before later ones`() async {
        let (bus, consumer) = (MessageBus<Int>(), Consumer())
        bus.add(consumer, onFailure: .retry(after: [.seconds(1)], clock: clock))
        for number in 1...3 { bus.dispatch(number) }
        await clock.waitForSleepers()
        #expect(consumer.calls.values == [1] && bus.consumers.first?.retrying == 1)
        clock.advance(by: .seconds(1))
        #expect(await bus.drain(within: .seconds(600)).isEmpty)
        #expect(consumer.calls.values == [1, 1, 2, 3])
    }

    @Test func `a notification fails with its first error if the order is not kept and there is no room for a retry`()
        async
    {
        let (begun, go, clock) = (Gate(), Gate(), clock)
        let calls = ReceivedValues<Int>()
        let token = center.addObserver(
            on: .task, for: Numbered.self, buffering: .oldest(2),
            onFailure: .retry(after: [.seconds(1)], keepingOrder: false, clock: clock)
        ) { note in
            calls.append(note.number)
            if note.number > 1 { return }
            begun.open()
            await go.wait()
            throw Refused(number: note.number)
        }
        post(1...1)
        await begun.wait()
        post(2...4)
        go.open()
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(calls.values == [1, 2, 3] && token.droppedCount == 1)
        #expect(center.statistics[Numbered.self]?.failures == 1)
    }

    @Test(arguments: [false, true])
    func `no notification is retried more often than there are delays, even if many calls fail`(
        keepingOrder: Bool
    ) async {
        let refusals = Dictionary(uniqueKeysWithValues: (1...300).map { ($0, $0 % 5) })
        let mailer = Mailer(refusing: refusals)
        let delay = keepingOrder ? Duration.zero : .milliseconds(1)
        let token = center.addObserver(
            mailer, on: .actor, for: Numbered.self,
            onFailure: .retry(after: [delay, delay], keepingOrder: keepingOrder)
        ) { me, note in try me.send(note.number) }
        post(1...300)
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        let calls = Dictionary(grouping: mailer.calls.values) { $0 }.mapValues(\.count)
        #expect(calls == refusals.mapValues { min($0, 2) + 1 })
        withExtendedLifetime(token) {}
    }

    @Test func `a thousand notifications that fail once are retried in the order in which they failed`() async {
        let mailer = Mailer(refusing: Dictionary(uniqueKeysWithValues: (1...1000).map { ($0, 1) }))
        let token = center.addObserver(
            mailer, on: .actor, for: Numbered.self,
            onFailure: .retry(after: [.milliseconds(1)], keepingOrder: false)
        ) { me, note in try me.send(note.number) }
        post(1...1000)
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        let calls = mailer.calls.values
        let again = Dictionary(grouping: calls.indices, by: { calls[$0] }).mapValues { $0[1] }
        #expect(calls.count == 2000)
        #expect(again.sorted { $0.value < $1.value }.map(\.key) == Array(1...1000))
        withExtendedLifetime(token) {}
    }
}

private actor Consumer: MessageConsumer {
    let calls = ReceivedValues<Int>()

    func consume(_ message: Int) throws {
        calls.append(message)
        if calls.values == [1] { throw Refused(number: message) }
    }
}
