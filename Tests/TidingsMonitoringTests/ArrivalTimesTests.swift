import Testing
import Tidings

/// `ArrivalTimes` doesn't read the clock for each element of a queue, so most of its times are estimates.
@Suite(.timeLimit(.minutes(2))) struct ArrivalTimesTests {
    private let millisecond: Int64 = 1_000_000

    @Test func `if elements arrive slowly, the time of each element is exact`() {
        var times = ArrivalTimes()
        times.begin(1, at: 0)
        for count in 2...50 where count == times.next { times.note(count, at: Int64(count) * 5 * millisecond, left: 0) }
        #expect(times.time(of: 1) == 0)
        #expect((2...50).allSatisfy { times.time(of: $0) == Int64($0) * 5 * millisecond })
    }

    @Test
    func `in a burst, the clock is read for fewer than one in 40 elements, and no estimate is after the arrival`() {
        var (times, reads) = (ArrivalTimes(), 0)
        times.begin(1, at: 0)
        // A thousand elements arrive per millisecond, for a hundred milliseconds.
        for count in 2...100_000 where count == times.next {
            times.note(count, at: Int64(count / 1000) * millisecond, left: 0)
            reads += 1
        }
        #expect(reads < 100_000 / 40)
        #expect((1...100_000).allSatisfy { times.time(of: $0) <= Int64($0 / 1000) * millisecond })
        #expect(times.time(of: 100_000) >= 90 * millisecond)
    }

    @Test func `the time of a recent element is exact after many elements were queued and handled`() {
        var times = ArrivalTimes()
        times.begin(1, at: 0)
        for count in 2...10_000 { times.note(count, at: Int64(count) * millisecond, left: count - 10) }
        #expect(times.time(of: 9_995) == 9_995 * millisecond)
    }

    @Test(arguments: [(4, 100), (4, 500), (10, 1_000), (100, 600), (1, 60_000)])
    func `in a queue that is never empty, an estimated wait is too long by at most an eighth plus 8 ms`(
        interval: Int, queued: Int
    ) {
        var times = ArrivalTimes()
        times.begin(1, at: 0)
        for count in 2...(20 * queued) {
            let (time, left) = (Int64(count * interval) * millisecond, max(0, count - queued))
            if count == times.next { times.note(count, at: time, left: left) }
            let arrived = Int64((left + 1) * interval) * millisecond
            let (wait, known) = (time - arrived, time - times.time(of: left + 1))
            if left > 0, known < wait || known > wait + wait / 8 + 8 * millisecond {
                Issue.record("Element \(left + 1) has waited for \(wait) ns, but the estimate is \(known) ns.")
                return
            }
        }
    }

    @Test func `the wait is precise again after a long queue became short, and after a pause`() {
        var times = ArrivalTimes()
        times.begin(1, at: 0)
        func note(_ counts: ClosedRange<Int>, pause: Int = 0, left: (Int) -> Int) {
            for count in counts where count == times.next {
                times.note(count, at: Int64(count * 10 + pause) * millisecond, left: left(count))
            }
        }
        note(2...10_000) { _ in 0 }
        note(10_001...20_000) { $0 - 10 }
        #expect(times.time(of: 19_991) == 199_910 * millisecond)
        // No element arrives for a hundred seconds. Then 500 elements arrive, but at most 64 times are stored.
        note(20_001...20_500, pause: 100_000) { _ in 19_999 }
        #expect(times.time(of: 20_001) == 300_010 * millisecond)
    }

    @Test func `after an hour of arrivals, the times of a short queue are precise`() {
        var times = ArrivalTimes()
        times.begin(1, at: 0)
        // A hundred elements arrive per second, for an hour. Then the queue has six elements, and is never empty.
        for count in 2...360_000 where count == times.next {
            times.note(count, at: Int64(count) * 10 * millisecond, left: 0)
        }
        for count in 360_001...361_000 {
            let (time, left) = (Int64(count) * 10 * millisecond, count - 6)
            if count == times.next { times.note(count, at: time, left: left) }
            if count > 360_100 { #expect(time - times.time(of: left + 1) <= 60 * millisecond) }
        }
    }

    @Test func `after many quick arrivals, the times of elements that arrive slowly are exact`() {
        var times = ArrivalTimes()
        times.begin(1, at: 0)
        for count in 2...2_000 where count == times.next {
            times.note(count, at: Int64(count) * 10 * millisecond, left: 0)
        }
        // Then one element arrives every five seconds, and two are queued.
        for count in 2_001...2_050 {
            let time = Int64(20_000 + (count - 2_000) * 5_000) * millisecond
            if count == times.next { times.note(count, at: time, left: count - 2) }
            if count > 2_004 { #expect(time - times.time(of: count - 1) == 5_000 * millisecond) }
        }
    }
}
