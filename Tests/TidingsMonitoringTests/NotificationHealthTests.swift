import Dispatch
import TestSupport
import Testing
import Tidings
import TidingsFoundation

@Suite(.timeLimit(.minutes(2))) struct NotificationHealthTests {
    private let center = NativeNotificationCenter()
    private let begun = Gate()
    private let go = Gate()

    /// Repeats the check until there is a problem of the given kind, because a duration may be measured as zero for a
    /// few milliseconds.
    private func sick(
        _ kind: NotificationHealth.Problem.Kind, _ ask: () -> NotificationHealth
    ) async -> NotificationHealth {
        var health = ask()
        await eventually("a problem of the kind \(kind)") {
            health = ask()
            return health.problems.contains { $0.kind == kind }
        }
        return health
    }

    @Test func `observers that keep up cause no problem`() async {
        let token = center.addObserver(on: .task, for: Numbered.self) { _ in }
        for number in 0..<100 { center.post(Numbered(number: number)) }
        await center.drain(within: .seconds(600))
        let health = center.health(WarningThresholds(waiting: 0, call: .zero)) + NotificationHealth()
        #expect(health.isWell && health.isAlive && health.description == "all is well")
        withExtendedLifetime(token) {}
    }

    @Test func `a call that hangs is listed with its observer and its group, and isAlive is false`() async {
        let (group, others) = (ObserverGroup("mail"), ObserverGroup("print"))
        center.addObserver(for: Numbered.self, line: 8) { _ in }.store(in: others)
        center.addObserver(on: .task, for: Numbered.self, line: 7) { [begun, go] _ in
            begun.open()
            await go.wait()
        }
        .store(in: group)
        for number in 0..<3 { center.post(Numbered(number: number)) }
        await begun.wait()
        #expect(center.health(WarningThresholds(waiting: 2, call: .seconds(3600))).isWell)
        let health = await sick(.slowCall) { center.health(WarningThresholds(waiting: 1, call: .zero)) }
        #expect(health.problems.map(\.kind) == [.slowCall, .longQueue])
        #expect(!health.isAlive)
        #expect(health.problems.allSatisfy { $0.observer?.place.line == 7 && $0.observer?.group == "mail" })
        #expect(
            health.description.contains(", and 2 notifications wait: ")
                && health.description.contains("in the group \"mail\""))
        let printing = center.observations.filter { $0.group == "print" }
        #expect(printing.map(\.place.line) == [8])
        #expect(printing.health(WarningThresholds(waiting: 0, call: .zero)).isWell)
        #expect(center.health(WarningThresholds(waiting: 1, call: nil)).isAlive)
        go.open()
        await center.drain(within: .seconds(600))
        #expect(center.health(WarningThresholds(waiting: 1, call: .zero)).isWell)
        withExtendedLifetime((group, others)) {}
    }

    @Test func `a call on a queue that hangs is a health problem even if notifications behind it were dropped`() async {
        let token = center.addObserver(
            on: .queue(DispatchQueue(label: "hangs")), for: Numbered.self, buffering: .latest(1)
        ) { [begun, go] _ in
            begun.open()
            go.wait(patience: .seconds(300))
        }
        center.post(Numbered(number: 0))
        await begun.wait()
        for number in 1...3 { center.post(Numbered(number: number)) }
        #expect(token.droppedCount == 2)
        #expect(center.observations.first?.runningFor != nil)
        let health = await sick(.slowCall) { center.health(WarningThresholds(call: .zero)) }
        #expect(health.problems.map(\.kind) == [.slowCall] && !health.isAlive)
        go.open()
        await center.drain(within: .seconds(600))
        withExtendedLifetime(token) {}
    }

    @Test func `a busy actor that takes no notification is a health problem`() async {
        let actor = StoppedActor()
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        center.post(Numbered(number: 1))
        let health = await sick(.stalledQueue) { center.health(WarningThresholds(call: .zero)) }
        #expect(health.problems.map(\.kind) == [.stalledQueue] && !health.isAlive)
        await actor.executor.finish { center.observations.allSatisfy { $0.queued == 0 } }
    }

    @Test func `a notification that waits too long behind quick calls is a problem, but the observer is alive`()
        async throws
    {
        let (second, goOn) = (Gate(), Gate())
        let token = center.addObserver(on: .task, for: Numbered.self) { [begun, go] note in
            (note.number == 0 ? begun : second).open()
            await (note.number == 0 ? go : goOn).wait()
        }
        for number in 0..<3 { center.post(Numbered(number: number)) }
        await begun.wait()
        await eventually("the oldest notification has waited for 20 ms") {
            center.observations[0].oldestWait.map({ $0 > .milliseconds(20) }) == true
        }
        go.open()
        await second.wait()
        // The third notification has been waiting for longer than the second call has been running.
        let statuses = center.observations
        let duration = try #require(statuses[0].runningFor)
        let health = statuses.health(WarningThresholds(call: duration))
        #expect(health.problems.map(\.kind) == [.longWait] && health.isAlive && !health.isWell)
        #expect(health.description.hasPrefix("the oldest notification in a queue of 1 has waited for "))
        goOn.open()
        await center.drain(within: .seconds(600))
        withExtendedLifetime(token) {}
    }

    @Test func `a bus consumer whose call hangs is listed as a health problem`() async {
        let (bus, consumer) = (MessageBus<Int>(), Hanging(begun, go))
        bus.add(consumer, line: 7)
        bus.dispatch(1)
        await begun.wait()
        let health = await sick(.slowCall) { bus.health(WarningThresholds(call: .zero)) }
        #expect(health.problems.map(\.kind) == [.slowCall])
        #expect(health.problems.first?.observer?.place.line == 7)
        #expect((center.health() + health).problems == health.problems)
        go.open()
        withExtendedLifetime(consumer) {}
    }
}
