import TestSupport
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct BacklogHealthTests {
    @Test func `a backlog that is short but old is a health problem until it is handled`() async throws {
        let (clock, worker) = (ManualClock(), Worker())
        let outbox = try await NotificationOutbox(
            InMemoryOutboxStore(), of: NativeNotificationCenter(), options: .quick, clock: clock)
        outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
            try await me.handle(note)
        }
        await worker.hold()
        for number in 1...3 { try outbox.post(Placed(number: number)) }
        await worker.waitForAttempts(1)
        var thresholds = WarningThresholds()
        thresholds.call = .seconds(10)
        #expect(outbox.health(thresholds).isWell)
        clock.advance(by: .seconds(11))
        let problems = outbox.health(thresholds).problems
        #expect(problems.map(\.kind) == [.longWait])
        #expect(
            problems.first?.description.contains("worker is behind by 11.0 seconds, and up to 3 notifications") == true
        )
        await worker.letGo()
        await clock.advance(
            "the outbox is healthy", by: .milliseconds(20), { outbox.health(thresholds) }, until: \.isWell)
        #expect(await worker.numbers == [1, 2, 3])
        await outbox.finish(within: .seconds(10))
    }
}
