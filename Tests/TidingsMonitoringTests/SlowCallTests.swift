import Dispatch
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

@testable import Tidings

private struct Ping: TypedNotification {}
private struct Kept: TypedNotification, Sendable {}

private struct SentBy: TypedNotification, Sendable {
    let read: @Sendable () -> String
    var sender: String { read() }
}

private final class Watcher: LookingMonitor {
    let starts = ReceivedValues<Void>()

    func receive(_ event: NotificationEvent) {}
    func checksBegan(
        by attachment: ObjectIdentifier, every interval: Duration,
        _ progress: @escaping @Sendable () -> CheckProgress?
    ) {
        starts.append(())
    }
}

@Suite(.timeLimit(.minutes(2))) struct SlowCallTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()
    private let monitor = RecordingMonitor(keepsWhatTakesLong: true)

    /// Advances the clock until the timer, which checks every 2.5 seconds, has made `count` checks.
    private func look(_ count: Int) async {
        for _ in 0..<count {
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(2500))
        }
        await clock.waitForSleepers()
    }

    /// Makes two posts before each check, so a queue that keeps just the latest notification drops others.
    private func look(_ count: Int, dropping post: () -> Void) async {
        for _ in 0..<count {
            for _ in 0..<2 { post() }
            await look(1)
        }
    }

    private var words: [String] {
        monitor.warnings.map { String($0.description.prefix { $0 != ":" }) }
    }

    private func waitUntilIdle() async {
        await eventually("no call is running and no notification is queued") {
            !center.observations.contains(where: { $0.isRunning || $0.queued > 0 })
        }
    }

    @Test func `a slow call causes a warning each time that its duration doubles, and its end is reported`() async {
        let attached = AttachedMonitor(monitor, .warnings, samplingInterval: 1, WarningThresholds(), clock)
        let attachment = center.attach(attached)
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
        await eventually("the timer has ended, and there are three warnings") {
            attached.watch?.timer.isRunning == false && words.count >= 3
        }
        #expect(words.last == "an observer that was slow or stalled for 40.0 seconds has recovered")
        // A new notification starts a new timer, unless the task of the old timer is still running. So the test posts
        // until a timer sleeps.
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
            // The first post starts a timer. At a later post, the previous timer may still be running.
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

    @Test(arguments: [true, false])
    func `a slow call causes the same warnings while notifications behind it are dropped`(isOnQueue: Bool) async {
        let attachment = center.attach(monitor, interests: .warnings, clock: clock)
        let (ledger, begun, go) = (Ledger(), Gate(), Gate())
        let token =
            if isOnQueue {
                center.addObserver(
                    on: .queue(DispatchQueue(label: "slow")), for: Numbered.self, buffering: .latest(1)
                ) { _ in
                    begun.open()
                    go.wait(patience: .seconds(300))
                }
            } else {
                center.addObserver(ledger, on: .actor, for: Numbered.self, buffering: .latest(1)) { _, _ in
                    begun.open()
                    await go.wait()
                }
            }
        center.post(Numbered(number: 0))
        await begun.wait()
        await look(5) { center.post(Numbered(number: 1)) }
        #expect(words == ["a call has been running for 10.0 seconds, and 1 notification waits"])
        await look(4) { center.post(Numbered(number: 2)) }
        #expect(words.dropFirst() == ["a call has been running for 20.0 seconds, and 1 notification waits"])
        go.open()
        await waitUntilIdle()
        clock.advance(by: .milliseconds(2500))
        await eventually("there are three warnings", { words.count }, until: { $0 >= 3 })
        #expect(words.last == "an observer that was slow or stalled for 22.5 seconds has recovered")
        withExtendedLifetime((attachment, token, ledger)) {}
    }

    @Test func `a queue from which nothing is taken causes the same warnings while it drops notifications`() async {
        let attachment = center.attach(monitor, interests: .warnings, clock: clock)
        let actor = StoppedActor()
        center.addObserver(actor, on: .actor, for: Numbered.self, buffering: .latest(1)) { _, _ in }
        let sequence = center.notifications(of: Ping.self, buffering: .latest(1))
        for seconds in ["10.0", "20.0"] {
            await look(seconds == "10.0" ? 5 : 4) {
                center.post(Numbered(number: 1))
                center.post(Ping())
            }
            let stalled = "no queued notification has been handled for \(seconds) seconds, and 1 notification waits"
            #expect(words.suffix(2) == [stalled, stalled])
        }
        #expect(words.count == 4)
        await actor.executor.finish { !center.observations.contains { $0.delivery == .actor && $0.queued > 0 } }
        withExtendedLifetime((attachment, sequence)) {}
    }

    @Test func `a slow consumer of a bus causes a warning, and so does a slow synchronous observer`() async {
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

    /// Calls `body` on a new thread. The closure that `body` receives blocks until a timer watches the call.
    private func watch(_ body: @escaping @Sendable (_ hang: @escaping @Sendable () -> Void) -> Void) async {
        let (begun, stop) = (Gate(), Gate())
        async let calling: Void = onOwnThread {
            body {
                begun.open()
                stop.wait(patience: .seconds(300))
            }
        }
        await begun.wait()
        await eventually("a task sleeps", { clock.sleepers }, until: { $0 == 1 })
        stop.open()
        await calling
    }

    @Test func `the timer watches a slow call even if the call's post omits another observer`() async {
        let attachment = center.attach(monitor, interests: .warnings, clock: clock)
        let other = center.addObserver(for: Numbered.self) { _ in }
        await watch { [center] hang in
            let token = center.addObserver(for: Numbered.self) { _ in hang() }
            _ = center.post(Numbered(number: 1), except: other.observation, from: SourcePlace(fileID: "", line: 0))
            token.cancel()
        }
        withExtendedLifetime(attachment) {}
    }

    @Test func `the timer runs while a post is running, even before the post has called an observer`() async {
        let monitoring = Monitoring()
        let hasPosts = Lock(true)
        let attached = AttachedMonitor(monitor, .warnings, samplingInterval: 1, WarningThresholds(), clock)
        let attachment = MonitorAttachment(
            attached, to: monitoring, hasPosts: { hasPosts.withLock { $0 } }, refresh: { _ in })
        await look(5)
        hasPosts.withLock { $0 = false }
        clock.advance(by: .milliseconds(2500))
        await eventually("the timer has ended") { attached.watch?.timer.isRunning == false }
        hasPosts.withLock { $0 = true }
        monitoring.watchCalls()
        await look(5)
        attachment.detach()
    }

    @Test func `hasPosts is true during a post, even before the post has called an observer`() async {
        let center = center
        let attachment = center.attach(monitor, interests: .warnings, clock: clock)
        let token = center.addObserver(for: SentBy.self, sender: "first") { _ in }
        // The post is repeated, because nested posts of parallel tests may occupy all lanes, the slots that record
        // running posts.
        await eventually("the center has a post") {
            let hasPost = Lock(false)
            center.post(
                SentBy {
                    hasPost.withLock { $0 = center.hasPosts }
                    return "first"
                })
            return hasPost.withLock { $0 }
        }
        #expect(!center.hasPosts)
        token.cancel()
        attachment.detach()
    }

    @Test func `the timer watches the call for a replayed notification`() async {
        let center = NativeNotificationCenter(replaying: [.latest(of: Kept.self)])
        center.post(Kept())
        let attachment = center.attach(monitor, interests: .warnings, clock: clock)
        await watch { hang in center.addObserver(for: Kept.self) { _ in hang() }.cancel() }
        withExtendedLifetime(attachment) {}
    }

    @Test func `a resumed monitor watches a call that began while the monitor was paused`() async {
        let other = RecordingMonitor(keepsWhatTakesLong: true)
        let attachment = center.attach(monitor, interests: .warnings, clock: clock)
        attachment.pause()
        let second = center.attach(other, interests: .warnings, clock: ManualClock())
        await watch { [center] hang in
            let token = center.addObserver(for: Numbered.self) { _ in
                attachment.resume()
                hang()
            }
            center.post(Numbered(number: 1))
            token.cancel()
        }
        withExtendedLifetime(second) {}
    }

    @Test func `no timer runs for a monitor that requests no warnings, has no threshold, or is detached`() async {
        // With the continuous clock, a monitor is informed by the post that starts its timer.
        let (unwatched, watched) = (Watcher(), Watcher())
        let attachments = [
            center.attach(unwatched, interests: [.posts, .deliveries]),
            center.attach(unwatched, thresholds: WarningThresholds(call: nil)),
            center.attach(unwatched, interests: .warnings), center.attach(watched, interests: .warnings),
        ]
        attachments[2].detach()
        let actor = StoppedActor()
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        center.post(Numbered(number: 1))
        #expect(unwatched.starts.count == 0 && watched.starts.count == 1)
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

    @Test func `while an observer hangs, dropped notifications don't count as its oldest notification`()
        async throws
    {
        let actor = StoppedActor()
        center.addObserver(actor, on: .actor, for: Numbered.self, buffering: .latest(2)) { _, _ in }
        let clock = ContinuousClock()
        var (before, last, posted) = (clock.now, clock.now, clock.now)
        for number in 1...250 {
            // Waits, because the clock that measures queues advances only every four milliseconds.
            while clock.now < posted + .milliseconds(8) { await Task.yield() }
            (before, last) = (last, clock.now)
            center.post(Numbered(number: number))
            posted = clock.now
            let wait = try #require(center.observations.first?.oldestWait)
            #expect(number == 1 || wait <= clock.now - before + .milliseconds(20))
        }
        await actor.executor.finish { center.observations.first?.queued == 0 }
    }
}
