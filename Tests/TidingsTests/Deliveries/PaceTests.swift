import Testing

@testable import Tidings

/// `Pace` lets quick calls share a turn, which calls the observer for queued elements. A stretch is the number of calls
/// between two clock readings.
@Suite(.timeLimit(.minutes(2))) struct PaceTests {
    private var pace = Pace()
    private var now: Int64 = 0

    /// Simulates at most `count` calls of the given duration, until the turn ends. Returns the number of calls made.
    private mutating func calls(_ count: Int, each duration: Duration) -> Int {
        for made in 1...count {
            now += duration.wholeNanoseconds
            let end = now
            if !pace.goesOn(at: end) { return made }
        }
        return count
    }

    @Test mutating func `the first call is assumed to be slow, so its turn holds no further elements`() {
        #expect(pace.isSlow && pace.holdsNothing)
        pace.begin(at: now)
        #expect(calls(1, each: .seconds(1)) == 1)
        #expect(pace.isSlow)
    }

    @Test mutating func `quick calls share a turn, in stretches that double up to a maximum`() {
        pace.begin(at: now)
        for stretch in [2, 4, 8, 8] {
            let made = pace.left
            #expect(calls(made, each: .nanoseconds(10)) == made)
            #expect(pace.stretch == stretch && pace.left == stretch)
        }
        #expect(!pace.isSlow && !pace.holdsNothing)
    }

    @Test mutating func `a turn with a slow call ends after its stretch, and the next call gets a turn of its own`() {
        pace.begin(at: now)
        #expect(calls(1 + 2 + 4, each: .nanoseconds(10)) == 7)
        #expect(pace.stretch == 8)
        // The clock is read only at the end of a stretch, so the turn ends after eight slow calls.
        #expect(calls(100, each: .milliseconds(1)) == 8)
        #expect(pace.isSlow)

        pace = Pace(like: pace, isAwaited: false)
        pace.begin(at: now)
        #expect(calls(100, each: .milliseconds(1)) == 1)
        pace = Pace(like: pace, isAwaited: false)
        pace.begin(at: now)
        #expect(calls(1, each: .nanoseconds(10)) == 1)
        #expect(!pace.isSlow)
    }

    @Test mutating func `an element that a call of deliver waits for gets a turn of its own, even if calls are quick`()
    {
        pace.begin(at: now)
        #expect(calls(3, each: .nanoseconds(10)) == 3)
        #expect(!pace.holdsNothing)
        #expect(Pace(like: pace, isAwaited: true).holdsNothing)
        #expect(Pace(like: pace, isAwaited: true).stretch == pace.stretch)
    }

    @Test mutating func `the clock is read once in a stretch`() {
        pace.begin(at: now)
        _ = calls(1 + 2 + 4, each: .nanoseconds(10))
        var looks = 0
        for _ in 0..<80 {
            _ = pace.goesOn(
                at: {
                    looks += 1
                    return now
                }())
        }
        #expect(looks == 10)
    }
}
