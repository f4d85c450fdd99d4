import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}

@Suite(.timeLimit(.minutes(2))) struct SlowCallTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()
    private let monitor = RecordingMonitor(keepsWhatTakesLong: true)

    /// Advances the clock by 2.5 seconds, the interval at which the timer checks, and lets the timer check. Repeats this
    /// `count` times.
    private func look(_ count: Int) async {
        for _ in 0..<count {
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(2500))
        }
        await clock.waitForSleepers()
    }

    private var words: [String] {
        monitor.warnings.map { String($0.description.prefix { $0 != ":" }) }
    }

    private func waitUntilIdle() async {
        await eventually("no call is running and no notification is queued") {
            !center.observations.contains(where: { $0.isRunning || $0.queued > 0 })
        }
    }

    @Test func `a slow call causes a warning at each doubling, and its end is reported`() async {
        let attachment = center.attach(monitor, interests: .warnings, clock: clock)
        let (begun, go) = (Gate(), Gate())
        let token = center.addObserver(on: .task, for: Numbered.self, line: 7) { _ in
            begun.open()
            await go.wait()
        }
        for number in 1...3 { center.post(Numbered(number: number)) }
        await begun.wait()
        await look(4)
        #expect(words.isEmpty)
        await look(1)
        #expect(words == ["a call has been running for 10.0 seconds, and 2 notifications wait"])
        #expect(monitor.warnings.first?.observer.place.line == 7)
        await look(4)
        #expect(words.dropFirst() == ["a call has been running for 20.0 seconds, and 2 notifications wait"])
        await look(7)
        #expect(words.count == 2)
        go.open()
        await waitUntilIdle()
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(2500))
        // Nothing is running, so the timer ends.
        await eventually("no task sleeps, and there are three warnings") { clock.sleepers == 0 && words.count >= 3 }
        #expect(words.last == "an observer continues after 40.0 seconds")
        // The next notification starts the timer again, unless it is handled before the timer has ended.
        await eventually("a task sleeps") {
            if clock.sleepers > 0 { return true }
            center.post(Numbered(number: 4))
            return false
        }
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `quick calls cause no warning, however many there are`() async {
        let attachment = center.attach(monitor, interests: .warnings, clock: clock)
        let ledger = Ledger()
        center.addObserver(ledger, on: .actor, for: Numbered.self) { me, note in me.add(note.number) }
        for round in 1...8 {
            center.post(Numbered(number: round))
            await ledger.wait(for: round)
            // The call has recorded the number, and may still be running.
            await waitUntilIdle()
            // The first post starts the timer. A post that is handled before the timer has ended doesn't start another
            // one.
            if round == 1 { await clock.waitForSleepers() }
            for _ in 0..<100 where clock.sleepers == 0 { await Task.yield() }
            clock.advance(by: .seconds(10))
            await eventually("no task sleeps, or no observer runs") {
                clock.sleepers == 0 || !center.observations.contains(where: \.isRunning)
            }
        }
        #expect(words.isEmpty)
        withExtendedLifetime((attachment, ledger)) {}
    }

    @Test func `a queue from which nothing is taken causes a warning, and so does a sequence without a reader`() async {
        let attachment = center.attach(monitor, interests: .warnings, clock: clock)
        let actor = StoppedActor()
        center.addObserver(actor, on: .actor, for: Numbered.self, line: 7) { _, _ in }
        let sequence = center.notifications(of: Ping.self, line: 8)
        for number in 1...2 { center.post(Numbered(number: number)) }
        center.post(Ping())
        await look(5)
        #expect(
            words.sorted() == [
                "no queued notification has been handled for 10.0 seconds, and 1 notification waits",
                "no queued notification has been handled for 10.0 seconds, and 2 notifications wait",
            ])
        #expect(monitor.warnings.map(\.observer.place.line).sorted() == [7, 8])
        await actor.executor.finish { !center.observations.contains { $0.place.line == 7 && $0.queued > 0 } }
        withExtendedLifetime((attachment, sequence)) {}
    }

    @Test func `a slow consumer of a bus causes a warning, and so does a slow observer in the post`() async {
        let (bus, begun, go, posted) = (MessageBus<Int>(), Gate(), Gate(), Gate())
        let consumer = Hanging(begun, go)
        bus.add(consumer)
        let ofBus = bus.attach(monitor, interests: .warnings, clock: clock)
        bus.dispatch(1)
        await begun.wait()
        await look(5)
        #expect(words == ["a call has been running for 10.0 seconds, and 0 notifications wait"])
        ofBus.detach()
        go.open()
        let attachment = center.attach(monitor, interests: .warnings, clock: clock)
        let stop = Gate()
        let blocking = center.addObserver(for: Numbered.self, line: 10) { _ in
            posted.open()
            stop.wait(patience: .seconds(300))
        }
        async let posting: Void = onOwnThread { [center] in _ = center.post(Numbered(number: 1)) }
        await posted.wait()
        await look(5)
        #expect(words.count == 2)
        #expect(monitor.warnings.last?.observer.place.line == 10)
        stop.open()
        await posting
        withExtendedLifetime((attachment, blocking, consumer)) {}
    }

    @Test func `no timer runs for a monitor that requests no warnings, has no threshold, or is detached`() async {
        let attachments = [
            center.attach(monitor, interests: [.posts, .deliveries], clock: clock),
            center.attach(monitor, thresholds: WarningThresholds(call: nil), clock: clock),
            center.attach(monitor, interests: .warnings, clock: clock),
        ]
        attachments[2].detach()
        let actor = StoppedActor()
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        center.post(Numbered(number: 1))
        await eventually("no task sleeps", { clock.sleepers }, until: { $0 == 0 })
        #expect(clock.sleepers == 0)
        await actor.executor.finish { true }
        withExtendedLifetime(attachments) {}
    }

    @Test func `a list of observations shows the age of the oldest queued notification`() async {
        let actor = StoppedActor()
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        #expect(center.observations.first?.oldestWait == nil)
        center.post(Numbered(number: 1))
        let before = center.observations.first?.oldestWait
        #expect(before != nil)
        center.post(Numbered(number: 2))
        #expect((center.observations.first?.oldestWait ?? .zero) >= before ?? .seconds(1))
        await actor.executor.finish { center.observations.first?.queued == 0 }
        #expect(center.observations.first?.oldestWait == nil)
    }

    @Test func `the age of the oldest notification isn't that of a dropped one while the observer hangs`() async {
        let actor = StoppedActor()
        center.addObserver(actor, on: .actor, for: Numbered.self, buffering: .latest(2)) { _, _ in }
        let clock = ContinuousClock()
        var (before, last) = (clock.now, clock.now)
        for number in 1...500 {
            // The coarse clock advances every four milliseconds.
            while clock.now < last + .milliseconds(4) { await Task.yield() }
            (before, last) = (last, clock.now)
            center.post(Numbered(number: number))
            let wait = center.observations.first?.oldestWait ?? .zero
            #expect(number == 1 || wait <= clock.now - before + .milliseconds(20))
        }
        await actor.executor.finish { center.observations.first?.queued == 0 }
    }
}

/// Estimates of the times at which elements were queued. The clock isn't read for each element.
@Suite(.timeLimit(.minutes(2))) struct ArrivalTimesTests {
    private let millisecond: Int64 = 1_000_000

    @Test func `if elements arrive slowly, each has its own time`() {
        var times = ArrivalTimes()
        times.begin(1, at: 0)
        for count in 2...50 where count == times.next { times.note(count, at: Int64(count) * 5 * millisecond, left: 0) }
        #expect(times.time(of: 1) == 0)
        #expect((2...50).allSatisfy { times.time(of: $0) == Int64($0) * 5 * millisecond })
    }

    @Test func `in a burst, the clock is read for one in 64 elements, and the recorded times are never too late`() {
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

    @Test func `a recent element has its own time after many elements were queued and handled`() {
        var times = ArrivalTimes()
        times.begin(1, at: 0)
        for count in 2...10_000 { times.note(count, at: Int64(count) * millisecond, left: count - 10) }
        #expect(times.time(of: 9_995) == 9_995 * millisecond)
    }

    @Test(arguments: [(4, 100), (4, 500), (10, 1_000), (100, 600), (1, 60_000)])
    func `the wait is known to an eighth in a queue that is long and never empty`(interval: Int, queued: Int) {
        var times = ArrivalTimes()
        times.begin(1, at: 0)
        for count in 2...(20 * queued) {
            let (time, left) = (Int64(count * interval) * millisecond, max(0, count - queued))
            if count == times.next { times.note(count, at: time, left: left) }
            let arrived = Int64((left + 1) * interval) * millisecond
            let (wait, known) = (time - arrived, time - times.time(of: left + 1))
            if left > 0, known < wait || known > wait + wait / 8 + 8 * millisecond {
                Issue.record("Element \(left + 1) has waited for \(wait) ns, and the result is \(known) ns.")
                return
            }
        }
    }

    @Test func `the wait is known again after a long queue became short, and after a pause`() {
        var times = ArrivalTimes()
        times.begin(1, at: 0)
        func note(_ counts: ClosedRange<Int>, pause: Int = 0, left: (Int) -> Int) {
            for count in counts where count == times.next {
                times.note(count, at: Int64(count * 10 + pause) * millisecond, left: left(count))
            }
        }
        note(2...10_000) { _ in 0 }
        // Ten elements are queued.
        note(10_001...20_000) { $0 - 10 }
        #expect(times.time(of: 19_991) == 199_910 * millisecond)
        // No element arrives for a hundred seconds. Then 500 elements arrive, more than `ArrivalTimes` has marks.
        note(20_001...20_500, pause: 100_000) { _ in 19_999 }
        #expect(times.time(of: 20_001) == 300_010 * millisecond)
    }

    @Test func `a long wait doesn't make the times of a later, short queue coarse`() {
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

    @Test func `slow arrivals after a long wait have their own times`() {
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
