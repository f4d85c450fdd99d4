import Dispatch
import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Broken: Error {}
private struct WillShow: MainActorNotification {}
private struct Failed: TypedNotification {}

private final class CountedClock: Clock {
    let reads = Atomic(0)
    var now: ContinuousClock.Instant {
        reads.wrappingAdd(1, ordering: .relaxed)
        return ContinuousClock().now
    }
    var minimumResolution: Duration { .nanoseconds(1) }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
}

@Suite(.timeLimit(.minutes(2))) struct TroubleTests {
    private let center = NativeNotificationCenter()
    private let monitor = RecordingMonitor()
    private let trouble: MonitorInterests = [.failures, .drops, .warnings]
    private let quiet = WarningThresholds(waiting: 2, call: nil)

    /// Adds an observer whose calls wait until the gate opens, and posts one notification to it.
    private func hang(
        buffering policy: BufferingPolicy = .unbounded,
        then handle: @escaping @Sendable (Numbered) throws -> Void = { _ in }
    ) async -> (token: NotificationToken, gate: Gate) {
        let (begun, gate) = (Gate(), Gate())
        let token = center.addObserver(on: .task, for: Numbered.self, buffering: policy) { note in
            begun.open()
            await gate.wait()
            try handle(note)
        }
        center.post(Numbered(number: 0))
        await begun.wait()
        return (token, gate)
    }

    @Test func `if no monitor needs durations, no clock is read for posts and calls`() async {
        let clock = CountedClock()
        let attachment = center.attach(
            monitor, interests: trouble, thresholds: WarningThresholds(call: nil), clock: clock)
        let token = center.addObserver(on: .task, for: Numbered.self) { _ in }
        let before = clock.reads.load(ordering: .relaxed)
        for number in 0..<100 { center.post(Numbered(number: number)) }
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        await token.cancelAndDrain()
        #expect(clock.reads.load(ordering: .relaxed) == before)
        #expect(monitor.events.values.isEmpty)
        withExtendedLifetime(attachment) {}
    }

    @Test
    func `a long queue causes a warning, another one each time that its length doubles, and one when it recovers`()
        async
    {
        let attachment = center.attach(monitor, interests: trouble, thresholds: quiet)
        let handled = ReceivedValues<Int>()
        let (token, gate) = await hang { handled.append($0.number) }
        for number in 1...12 { center.post(Numbered(number: number)) }
        #expect(monitor.warnings.map(\.words) == ["3 wait", "6 wait", "12 wait"])
        gate.open()
        await eventually("thirteen notifications are handled", { handled.values.count }, until: { $0 >= 13 })
        await eventually("four warnings are reported", { monitor.warnings.count }, until: { $0 >= 4 })
        #expect(monitor.warnings.last?.words == "recovered from 12")
        await token.cancelAndDrain()
        withExtendedLifetime(attachment) {}
    }

    @Test func `a queue that gets too long again causes another warning`() async {
        let attachment = center.attach(monitor, interests: .warnings, thresholds: quiet)
        for round in 1...3 {
            let (token, gate) = await hang()
            for number in 1...3 { center.post(Numbered(number: number)) }
            #expect(monitor.warnings.count == 2 * round - 1)
            gate.open()
            await eventually(
                "two warnings of this round are reported", { monitor.warnings.count }, until: { $0 >= 2 * round })
            await token.cancelAndDrain()
        }
        withExtendedLifetime(attachment) {}
    }

    @Test func `each of two monitors is warned according to its own threshold`() async {
        let other = RecordingMonitor()
        let attachments = [
            center.attach(monitor, interests: .warnings, thresholds: quiet),
            center.attach(other, interests: .warnings, thresholds: WarningThresholds(waiting: 7, call: nil)),
        ]
        let (token, gate) = await hang()
        for number in 1...9 { center.post(Numbered(number: number)) }
        #expect(monitor.warnings.map(\.words) == ["3 wait", "6 wait"])
        #expect(other.warnings.map(\.words) == ["8 wait"])
        token.cancel()
        gate.open()
        await token.cancelAndDrain()
        withExtendedLifetime(attachments) {}
    }

    @Test func `a sequence that isn't read causes a warning, and another one when it has recovered`() async {
        let attachment = center.attach(monitor, interests: .warnings, thresholds: quiet)
        let sequence = center.notifications(of: Numbered.self)
        for number in 0..<4 { center.post(Numbered(number: number)) }
        #expect(monitor.warnings.map(\.words) == ["3 wait"])
        var iterator = sequence.makeAsyncIterator()
        for _ in 0..<4 { _ = await iterator.next() }
        center.post(Numbered(number: 4))
        _ = await iterator.next()
        #expect(monitor.warnings.map(\.words) == ["3 wait", "recovered from 4"])
        withExtendedLifetime(attachment) {}
    }

    @Test func `errors and drops are reported`() async {
        let attachment = center.attach(monitor, interests: [.failures, .drops])
        let (token, gate) = await hang(buffering: .latest(1)) { _ in throw Broken() }
        for number in 1...3 { center.post(Numbered(number: number)) }
        gate.open()
        await eventually("four events are reported", { monitor.events.values.count }, until: { $0 >= 4 })
        await token.cancelAndDrain()
        #expect(monitor.events.values.count { if case .dropped = $0 { true } else { false } } == 2)
        #expect(monitor.events.values.count { if case .failed = $0 { true } else { false } } == 2)
        withExtendedLifetime(attachment) {}
    }

    @Test func `a monitor's own post, and an error that the post causes, are not reported to the monitor`()
        async
    {
        let (center, handled) = (center, ReceivedValues<Int>())
        let monitor = RecordingMonitor { _ in center.post(Failed()) }
        let attachment = center.attach(monitor, interests: .failures)
        let tokens = [
            center.addObserver(on: .task, for: Numbered.self) { _ in throw Broken() },
            center.addObserver(on: .task, for: Failed.self) { _ in
                handled.append(0)
                throw Broken()
            },
        ]
        center.post(Numbered(number: 0))
        await eventually("a notification is handled") { !handled.values.isEmpty }
        for token in tokens { await token.cancelAndDrain() }
        #expect(handled.values.count == 1)
        #expect(monitor.events.values.count == 1)
        withExtendedLifetime(attachment) {}
    }

    @Test func `a post that reaches nobody because the last observer has ended causes a warning`() {
        let attachment = center.attach(monitor, interests: .warnings)
        let token = center.addObserver(for: Failed.self) { _ in }
        center.post(Failed())
        token.cancel()
        center.post(Failed())
        #expect(monitor.warnings.count == 1)
        center.post(Failed())
        #expect(monitor.warnings.count == 1)
        withExtendedLifetime(attachment) {}
    }

    @MainActor
    @Test func `a slow call on the main actor causes a warning, whether it is synchronous or asynchronous`() async {
        let clock = ManualClock()
        let attachment = center.attach(monitor, interests: .warnings, clock: clock)
        let received = ReceivedValues<Int>()
        let tokens = [
            center.addObserver(for: WillShow.self) { _ in clock.advance(by: .seconds(1)) },
            center.addObserver(on: .main, for: Numbered.self) { _ in
                clock.advance(by: .seconds(2))
                received.append(0)
            },
        ]
        center.post(WillShow())
        center.post(Numbered(number: 0))
        await eventually("a notification is received") { !received.values.isEmpty }
        await eventually("two warnings are reported", { monitor.warnings.count }, until: { $0 >= 2 })
        #expect(monitor.warnings.map(\.observer.delivery) == [.inPostOnMainActor, .mainActor])
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test(.timeLimit(.minutes(2))) func `a synchronous call that hangs causes a warning`() async {
        let clock = ManualClock()
        let monitor = RecordingMonitor(keepsWhatTakesLong: true)
        let attachment = center.attach(
            monitor, interests: .warnings, thresholds: WarningThresholds(call: .seconds(10)), clock: clock)
        let (begun, semaphore) = (Gate(), DispatchSemaphore(value: 0))
        let token = center.addObserver(for: Failed.self) { _ in
            begun.open()
            semaphore.wait()
        }
        async let ended: Void = onOwnThread { [center] in center.post(Failed()) }
        await begun.wait()
        await eventually("a warning is reported") {
            if !monitor.warnings.isEmpty { return true }
            clock.advance(by: .seconds(5))
            return false
        }
        guard case .slowCall = monitor.warnings.first else {
            semaphore.signal()
            Issue.record("there was no warning about a call that hangs: \(monitor.words)")
            return
        }
        semaphore.signal()
        await ended
        withExtendedLifetime((attachment, token)) {}
    }

    @Test
    func `when a long queue recovers, a monitor that was attached meanwhile is informed, and a detached one isn't`()
        async
    {
        let early = RecordingMonitor()
        let first = center.attach(early, thresholds: quiet)
        let (token, gate) = await hang()
        for number in 1...4 { center.post(Numbered(number: number)) }
        #expect(early.warnings.map(\.words) == ["3 wait"])
        // Replaces the first monitor, which receives all events, with a monitor that receives only warnings.
        let second = center.attach(monitor, interests: .warnings, thresholds: quiet)
        first.detach()
        center.post(Numbered(number: 5))
        #expect(monitor.warnings.map(\.words) == ["5 wait"])
        gate.open()
        await eventually("two warnings are reported", { monitor.warnings.count }, until: { $0 >= 2 })
        #expect(monitor.warnings.last?.words == "recovered from 5")
        #expect(early.warnings.count == 1)
        await token.cancelAndDrain()
        withExtendedLifetime(second) {}
    }

    @Test(.timeLimit(.minutes(2)))
    func `drops after the first are reported together after an interval, even if no other event happens`() async {
        let clock = ManualClock()
        let attachment = center.attach(monitor, interests: trouble, clock: clock)
        let (token, gate) = await hang(buffering: .oldest(1))
        for number in 1...5 { center.post(Numbered(number: number)) }
        #expect(monitor.warnings.isEmpty)
        await eventually("a warning is reported") {
            if !monitor.warnings.isEmpty { return true }
            clock.advance(by: .seconds(1))
            return false
        }
        #expect(monitor.warnings.map(\.words) == ["3 more dropped"])
        token.cancel()
        gate.open()
        await token.cancelAndDrain()
        withExtendedLifetime(attachment) {}
    }
}

extension ObserverWarning {
    fileprivate var words: String {
        switch self {
        case .longQueue(_, let waiting): "\(waiting) wait"
        case .queueRecovered(_, let most): "recovered from \(most)"
        case .drops(_, let count, _): "\(count) more dropped"
        default: "\(self)"
        }
    }
}
