import TestSupport
import Testing
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct ManualClockTests {
    private let clock = ManualClock()

    @Test func `a clock begins at zero and advances exactly`() {
        #expect(clock.now == ManualClock.Instant() && clock.minimumResolution == .zero)
        clock.advance(by: .nanoseconds(1))
        #expect(ManualClock.Instant().duration(to: clock.now) == .nanoseconds(1))
    }

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

    @Test func `a wait for sleepers ends when its task is cancelled, so that a time limit can end a test`() async {
        let waiting = Task { [clock] in await clock.waitForSleepers() }
        waiting.cancel()
        await waiting.value
        let tired = Task { [clock] in
            cancelCurrentTask()
            await clock.waitForSleepers(2)
        }
        await tired.value
        #expect(clock.sleepers == 0)
    }

    @Test func `a clock advances for sleeping tasks until a value is as expected`() async {
        let received = ReceivedValues<Int>()
        let sleeping = Task { [clock] in
            for number in 1...3 {
                try? await clock.sleep(for: .seconds(1))
                received.append(number)
            }
        }
        let isExpected = await clock.advance("all are received", { received.values }, until: { $0 == [1, 2, 3] })
        #expect(isExpected && clock.now.offset >= .seconds(3))
        await sleeping.value
    }

    @Test func `if the value is never as expected, advancing the clock fails the test and shows the last value`() async
    {
        await withKnownIssue {
            await clock.advance("the impossible", within: .zero, { clock.sleepers }, until: { $0 == 7 })
        } matching: {
            $0.comments.contains { $0.rawValue.hasSuffix("the impossible. The last value was 0.") }
        }
        let sleeping = Task { [clock] in
            while (try? await clock.sleep(for: .milliseconds(1))) != nil {}
        }
        await clock.waitForSleepers()
        await withKnownIssue {
            await clock.advance("the impossible", within: .zero, { 7 }, until: { $0 == 8 })
        } matching: {
            $0.comments.contains { $0.rawValue.hasSuffix("the impossible. The last value was 7.") }
        }
        sleeping.cancel()
        await sleeping.value
    }
}
