import Testing
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(5))) struct WaitingTests {
    /// A generator that returns the same numbers in each run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
        }
    }

    @Test func `if sixty programs lose a server, at most twelve of them reconnect within any one tenth of a second`() {
        var numbers = Numbers(state: 42)
        let first = (0..<60).map { _ in
            var pauses = Backoff(from: .seconds(1), to: .seconds(8))
            return pauses.next(using: &numbers)
        }
        let tenths = Dictionary(grouping: first) { Int($0 / .milliseconds(100)) }
        #expect(tenths.values.map(\.count).max() ?? 60 <= 12 && tenths.count >= 9)
    }

    @Test func `pauses double up to the maximum until an attempt succeeds`() {
        var pauses = Backoff(from: .seconds(1), to: .seconds(5))
        #expect((0..<5).map { _ in pauses.next() } == [1, 2, 4, 5, 5].map(Duration.seconds))
        pauses.reset()
        #expect(pauses.next() == .seconds(1))
    }

    @Test func `a flag resumes all waiting tasks, and later waits return at once`() async {
        let flag = Flag()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { await flag.wait() } }
            await Task.yield()
            #expect(flag.set() && !flag.set())
            for await isSet in group { #expect(isSet) }
        }
        #expect(await flag.wait())
        flag.clear()
        #expect(!flag.isSet)
    }

    @Test func `a wait for a flag ends at its time limit`() async {
        let (flag, clock) = (Flag(), ManualClock())
        async let isSet = flag.wait(within: .seconds(5), ElapsedClock(clock))
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        #expect(await !isSet)
        #expect(await !flag.wait(within: .zero))
    }

    @Test func `a cancelled task stops waiting for a flag, even if it was cancelled before the wait`() async {
        let flag = Flag()
        let task = Task { await flag.wait() }
        task.cancel()
        #expect(await !task.value)
    }

    @Test func `the relay's wall-clock time advances with the custom clock`() {
        let manual = ManualClock()
        let clock = ElapsedClock(manual)
        let wall = clock.wall
        manual.advance(by: .seconds(3600))
        #expect(clock.wall - wall == 3_600_000 && clock.milliseconds == 3_600_000 && clock.now == .seconds(3600))
    }
}
