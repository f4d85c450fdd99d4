import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}
private struct WillShow: MainActorNotification {}

private final class Consumer: MessageConsumer {
    func consume(_ message: Int) {}
}

private final class CountedClock: Clock {
    private let readings = Atomic(0)
    private let base = ManualClock()

    var count: Int { readings.load(ordering: .relaxed) }

    var now: ManualClock.Instant {
        readings.wrappingAdd(1, ordering: .relaxed)
        return base.now
    }

    var minimumResolution: Duration { base.minimumResolution }

    func advance(by duration: Duration) { base.advance(by: duration) }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try await base.sleep(until: deadline, tolerance: tolerance)
    }
}

private final class Choosy: NotificationMonitor {
    let interests: MonitorInterests = [.posts]
    let words = ReceivedValues<String>()

    func receive(_ event: NotificationEvent) { words.append(event.words) }
}

@Suite(.timeLimit(.minutes(2))) struct MonitorInterestsTests {
    private let center = NativeNotificationCenter()
    private let monitor = RecordingMonitor()
    private let clock = CountedClock()

    private func doEverything(_ interests: MonitorInterests) async {
        let clock = clock
        let thresholds = WarningThresholds(waiting: 1, ownerAge: .seconds(60))
        let attachment = center.attach(monitor, interests: interests, thresholds: thresholds, clock: clock)
        let owner = Account()
        center.addObserver(owner, for: Ping.self) { _, _ in }
        let sequence = center.notifications(of: Numbered.self, buffering: .latest(2))
        let token = center.addObserver(for: Ping.self) { _ in clock.advance(by: .seconds(10)) }
        center.post(Ping())
        for number in 0..<3 { center.post(Numbered(number: number)) }
        var iterator = sequence.makeAsyncIterator()
        #expect(await iterator.next()?.number == 1)
        token.cancel()
        clock.advance(by: .seconds(100))
        attachment.detach()
        withExtendedLifetime(owner) {}
    }

    @Test(
        arguments: [
            (.observers, ["registered", "registered", "registered", "ended"]),
            (.posts, ["posted to 2", "posted to 1", "posted to 1", "posted to 1"]),
            (.deliveries, ["delivered in the post", "delivered in the post", "delivered as a sequence"]),
            (.queues, ["queued 1", "queued 2", "queued 2"]),
            (.drops, ["dropped 1"]),
            (.durations, []), (.failures, []), ([], []),
            ([.posts, .drops], ["posted to 2", "posted to 1", "posted to 1", "dropped 1", "posted to 1"]),
        ] as [(MonitorInterests, [String])])
    func `a monitor receives the events of its interests, and no others`(
        interests: MonitorInterests, words: [String]
    ) async {
        await doEverything(interests)
        #expect(monitor.words == words)
    }

    @Test func `a monitor that requests only warnings doesn't receive the events that cause the warnings`() async {
        await doEverything(.warnings)
        #expect(monitor.events.count == 2)
        #expect(monitor.warnings.map(\.observer.delivery) == [.sequence, .inPost])
    }

    @Test func `no clock is read for a monitor that requests neither durations nor warnings`() async {
        await doEverything([.observers, .posts, .deliveries, .queues, .drops, .failures])
        #expect(monitor.posts.count == 4)
        #expect(monitor.posts.allSatisfy { $0.duration == nil })
        #expect(monitor.deliveries.count == 3)
        #expect(monitor.deliveries.allSatisfy { $0.duration == nil && $0.waited == nil })
        // The clock was only read when the monitor was attached.
        #expect(clock.count == 1)
    }

    @MainActor
    @Test func `for a monitor that requests warnings, only calls on the main actor are measured`() {
        let clock = clock
        let attachment = center.attach(monitor, interests: [.warnings, .deliveries], clock: clock)
        let tokens = [
            center.addObserver(for: WillShow.self) { _ in clock.advance(by: .seconds(1)) },
            center.addObserver(for: Ping.self) { _ in clock.advance(by: .seconds(1)) },
        ]
        center.post(WillShow())
        center.post(Ping())
        #expect(monitor.deliveries.map(\.duration) == [.seconds(1), nil])
        #expect(monitor.warnings.count == 1)
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test func `monitors with different interests can be attached together`() {
        let other = RecordingMonitor()
        let attachments = (
            center.attach(monitor, interests: [.posts, .durations], clock: clock),
            center.attach(other, interests: [.deliveries])
        )
        let clock = clock
        let token = center.addObserver(for: Ping.self) { _ in clock.advance(by: .seconds(1)) }
        center.post(Ping())
        #expect(monitor.words == ["posted to 1"])
        #expect(monitor.posts.map(\.duration) == [.seconds(1)])
        #expect(other.words == ["delivered in the post"])
        #expect(other.deliveries.map(\.duration) == [nil])
        withExtendedLifetime((attachments, token)) {}
    }

    // MARK: A monitor's own interests

    @Test func `a monitor receives the events of its own interests, unless attach is passed other interests`() {
        let (monitor, other) = (Choosy(), Choosy())
        let attachments = (center.attach(monitor), center.attach(other, interests: [.deliveries]))
        let token = center.addObserver(for: Ping.self) { _ in }
        center.post(Ping())
        #expect(monitor.words.values == ["posted to 1"])
        #expect(other.words.values == ["delivered in the post"])
        let bus = MessageBus<Int>()
        let attachment = bus.attach(monitor)
        bus.dispatch(1)
        bus.add(Consumer())
        #expect(monitor.words.values == ["posted to 1", "posted to 0"])
        withExtendedLifetime((attachments, attachment, token)) {}
    }

    @Test func `a post in a call contains the number of that call, even if no monitor receives calls`() {
        let (center, monitor) = (center, monitor)
        let attachment = center.attach(monitor, interests: [.posts, .warnings])
        let tokens = (1...3).map { number in
            center.addObserver(for: Ping.self) { _ in if number == 2 { center.post(Numbered(number: number)) } }
        }
        center.post(Ping())
        #expect(monitor.words == ["posted to 0", "posted to 3"])
        #expect(monitor.posts[0].cause?.post == monitor.posts[1].id)
        #expect(monitor.posts[0].cause?.description.hasSuffix(".2") == true)
        withExtendedLifetime((attachment, tokens)) {}
    }

    @MainActor
    @Test
    func
        `a monitor that requests only warnings is warned about slow main-actor calls, and other calls aren't timed`()
    {
        let (center, clock) = (center, clock)
        // Disables the check for slow calls, which would read the clock periodically.
        let thresholds = WarningThresholds(call: nil)
        let attachment = center.attach(monitor, interests: .warnings, thresholds: thresholds, clock: clock)
        let fast = (0..<3).map { _ in center.addObserver(for: Ping.self) { _ in clock.advance(by: .seconds(1)) } }
        let slow = [false, true, false].map { isSlow in
            center.addObserver(for: WillShow.self) { _ in
                if isSlow { clock.advance(by: .seconds(2)) }
                center.post(Ping())
            }
        }
        let before = clock.count
        center.post(Ping())
        #expect(clock.count == before)
        center.post(WillShow())
        #expect(monitor.warnings.count == 3)
        #expect(
            monitor.warnings.map(\.observer.place.line).allSatisfy { $0 == monitor.warnings[0].observer.place.line })
        #expect(
            monitor.warnings.map(\.description).map { String($0.prefix(24)) }
                == ["an observer took 3.0 sec", "an observer took 5.0 sec", "an observer took 3.0 sec"])
        withExtendedLifetime((attachment, fast, slow)) {}
    }

    @Test func `a bus sends its monitors the events that they request`() {
        let (bus, consumer) = (MessageBus<Int>(), Consumer())
        let attachment = bus.attach(monitor, interests: [.posts], clock: clock)
        bus.add(consumer)
        bus.dispatch(1)
        #expect(monitor.words == ["posted to 1"])
        #expect(monitor.posts.map(\.duration) == [nil])
        #expect(clock.count == 1)
        withExtendedLifetime((attachment, consumer)) {}
    }
}
