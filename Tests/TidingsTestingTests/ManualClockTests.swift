import TestSupport
import Testing
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct ManualClockTests {
    private let clock = ManualClock()

    @Test func `a sleep ends when its deadline is reached`() async throws {
        let received = ReceivedValues<Int>()
        let tasks = [3, 1, 2].map { seconds in
            Task { [clock] in
                try await clock.sleep(for: .seconds(seconds))
                received.append(seconds)
            }
        }
        await clock.waitForSleepers(3)
        clock.advance(by: .milliseconds(999))
        #expect(clock.sleepers == 3)
        clock.advance(by: .milliseconds(1))
        try await tasks[1].value
        #expect(received.values == [1])
        clock.advance(by: .seconds(5))
        for task in tasks { try await task.value }
        #expect(received.values.sorted() == [1, 2, 3])
        #expect(clock.now == ManualClock.Instant(offset: .seconds(6)))
    }

    @Test func `a sleep with a deadline in the past returns at once`() async throws {
        clock.advance(by: .seconds(1))
        try await clock.sleep(until: ManualClock.Instant(offset: .seconds(1)))
        #expect(clock.sleepers == 0)
    }

    @Test func `a sleep in a cancelled task ends`() async {
        let asleep = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers()
        asleep.cancel()
        await #expect(throws: CancellationError.self) { try await asleep.value }
        let tired = Task { [clock] in
            cancelCurrentTask()
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await tired.value }
        #expect(clock.sleepers == 0)
    }
}
