import TestSupport
import Testing
import TidingsEngine
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct DeadlineTimerTests {
    private let clock = ManualClock()
    private let timer: DeadlineTimer
    private let called = ReceivedValues<Int>()

    init() { timer = DeadlineTimer(clock) }

    @discardableResult
    private func start(_ milliseconds: Int, _ number: Int) -> DeadlineID {
        timer.start(.milliseconds(milliseconds)) { [called] in called.append(number) }
    }

    @Test func `a thousand closures are called in the order of their deadlines, by one task`() async {
        for number in (0..<1_000).shuffled() { start(2_000 + number, number) }
        await clock.waitForSleepers()
        #expect(clock.sleepers == 1)
        clock.advance(by: .seconds(1))
        // The first sleep is short. From now on, the task sleeps until the earliest deadline.
        await clock.waitForSleepers()
        #expect(clock.sleepers == 1 && called.values.isEmpty)
        clock.advance(by: .milliseconds(1_499))
        await called.wait(for: 500)
        await clock.waitForSleepers()
        #expect(called.values == Array(0..<500) && clock.sleepers == 1)
        clock.advance(by: .seconds(1))
        await called.wait(for: 1_000)
        #expect(called.values == Array(0..<1_000))
        #expect(clock.sleepers == 0 && timer.count == 0)
    }

    @Test func `a new deadline before all others makes the timer's task wake up earlier`() async {
        start(900, 900)
        await clock.waitForSleepers()
        start(500, 500)
        clock.advance(by: .milliseconds(500))
        await called.wait(for: 1)
        #expect(called.values == [500])
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(400))
        await called.wait(for: 2)
        #expect(called.values == [500, 900])
    }

    @Test func `consecutive waits share a sleeping task, which ends when it wakes up after the last wait has ended`()
        async
    {
        for number in 0..<1_000 { timer.end(start(5_000, number)) }
        await clock.waitForSleepers()
        #expect(clock.sleepers == 1 && timer.count == 0)
        clock.advance(by: .seconds(1))
        #expect(clock.sleepers == 0)
        start(1_000, 1)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await called.wait(for: 1)
        #expect(called.values == [1])
    }

    @Test func `the task ends, and releases the timer, when it wakes up after the last wait has ended`() async {
        weak let released: DeadlineTimer?
        do {
            let timer = DeadlineTimer(clock)
            released = timer
            timer.end(timer.start(.seconds(5), whenOver: {}))
        }
        await clock.waitForSleepers()
        #expect(released != nil)
        clock.advance(by: .seconds(1))
        await eventually("the timer is released") { released == nil }
    }

    @Test func `while the task sleeps until the last deadline, ending the last wait ends the sleep`() async {
        let id = start(60_000, 1)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await clock.waitForSleepers()
        timer.end(id)
        #expect(clock.sleepers == 0)
        clock.advance(by: .seconds(60))
        #expect(called.values.isEmpty)
    }

    @Test func `ending a wait twice neither calls its closure nor ends a later wait`() async {
        let ids = (0..<100).map { start(1_000, $0) }
        for (number, id) in ids.enumerated() where number % 2 == 1 { timer.end(id) }
        #expect(timer.count == 50)
        for number in 100..<150 { start(1_000, number) }
        for (number, id) in ids.enumerated() where number % 2 == 1 { timer.end(id) }
        #expect(timer.count == 100)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await called.wait(for: 100)
        #expect(Set(called.values) == Set(stride(from: 0, to: 100, by: 2)).union(100..<150))
    }

    @Test func `random waits end in the order of their deadlines, as in a sorted list`() async {
        var random = SystemRandomNumberGenerator()
        var expected: [(time: Int, number: Int)] = []
        var ids: [DeadlineID] = []
        for number in 0..<2_000 {
            let time = Int.random(in: 1...100_000, using: &random)
            ids.append(start(time, number))
            expected.append((time, number))
            if let ended = (0..<ids.count).randomElement(using: &random), Bool.random(using: &random) {
                timer.end(ids[ended])
                expected.removeAll { $0.number == ended }
            }
        }
        #expect(timer.count == expected.count)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(100))
        await called.wait(for: expected.count)
        let times = Dictionary(uniqueKeysWithValues: expected.map { ($0.number, $0.time) })
        #expect(Set(called.values) == Set(times.keys))
        #expect(called.values.compactMap { times[$0] } == expected.map(\.time).sorted())
    }

    @Test func `none of many short waits on many threads is lost`() async {
        let (timer, ended) = (DeadlineTimer(ContinuousClock()), ReceivedValues<Int>())
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for number in 0..<1_000 {
                        timer.start(.microseconds(Int.random(in: 0...200))) { ended.append(number) }
                        timer.end(timer.start(.microseconds(Int.random(in: 0...200))) {})
                        if number.isMultiple(of: 50) { await ended.wait(for: number) }
                    }
                }
            }
        }
        await ended.wait(for: 4_000)
        #expect(ended.count == 4_000)
    }

    @Test func `a duration beyond the range of any clock does not overflow`() async {
        let id = timer.start(.seconds(Int64.max)) {}
        #expect(timer.count == 1)
        timer.end(id)
        // A sleeping task keeps the clock alive, so the test lets the timer's task end.
        await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
    }
}
