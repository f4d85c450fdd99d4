import TestSupport
import Testing
import Tidings
import TidingsTesting
import TidingsWire

@testable import TidingsOutbox

@Suite(.timeLimit(.minutes(2))) struct SenderHealthTests {
    @Test func `if a relay can't send rows for a long time, the outbox is unhealthy, but no observer hangs`()
        async throws
    {
        let (clock, recorder) = (ManualClock(), RecordingNotificationCenter())
        var options = OutboxOptions.quick
        options.callPatience = .seconds(5)
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: recorder, options: options, clock: clock)
        let (connected, called) = (Gate(), ReceivedValues<Int>())
        let running = outbox.relaySource.access.run("relay.shop.S", [Placed.wireName], while: { true }) { rows in
            called.append(rows.count)
            await connected.wait()
            return rows.map { _ in .sent }
        }
        try outbox.post(Placed(number: 1))
        await called.wait(for: 1)
        var thresholds = WarningThresholds()
        thresholds.call = .seconds(10)
        #expect(outbox.health(thresholds).isWell)
        clock.advance(by: .seconds(11))
        let problems = outbox.health(thresholds).problems
        #expect(problems.map(\.kind) == [.longWait])
        #expect(problems.first?.description.contains("relay.shop.S is behind by 11.0 seconds") == true)
        await outbox.core.keepHouse()
        #expect(Faults(recorder).kinds == [])
        connected.open()
        await clock.advance(
            "the outbox is healthy", by: .milliseconds(20), { outbox.health(thresholds) }, until: \.isWell)
        running.stop()
        await running.waitForEnd()
        await outbox.finish(within: .seconds(10))
    }
}
