import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}
private struct Pong: TypedNotification {}
private struct WillShow: MainActorNotification {}

@Suite(.timeLimit(.minutes(2))) struct MonitorTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()

    @Test func `an attached monitor receives registrations, posts, calls and cancellations`() {
        let (monitor, account) = (RecordingMonitor(), Account())
        let before = center.addObserver(for: Ping.self) { _ in }
        let attachment = center.attach(monitor)
        center.post(Ping())
        #expect(monitor.words == ["delivered in the post", "posted to 1"])
        let token = center.addObserver(for: Renamed.self, sender: account) { _ in }
        center.post(Renamed(sender: account))
        center.post(Renamed(sender: Account()))
        token.cancel()
        token.cancel()
        #expect(
            monitor.words.dropFirst(2) == [
                "registered", "delivered in the post", "posted to 1", "posted to 0", "ended",
            ])
        attachment.detach()
        center.post(Ping())
        let after = center.addObserver(for: Ping.self) { _ in }
        #expect(monitor.events.count == 7)
        withExtendedLifetime((before, after)) {}
    }

    @Test func `posts of types that were never observed are reported`() {
        let monitor = RecordingMonitor()
        #expect(center.post(Ping()) == 0)
        let attachment = center.attach(monitor)
        #expect(center.post(Ping()) == 0)
        #expect(center.post(Pong()) == 0)
        #expect(
            monitor.posts.map(\.subject.type).map { $0.map { ObjectIdentifier($0) } } == [
                ObjectIdentifier(Ping.self), ObjectIdentifier(Pong.self),
            ])
        attachment.detach()
        #expect(center.post(Ping()) == 0)
        #expect(monitor.events.count == 2)
    }

    @Test func `releasing the attachment detaches the monitor and releases it`() {
        weak var weakMonitor: RecordingMonitor?
        let received: ReceivedValues<NotificationEvent>
        do {
            let monitor = RecordingMonitor()
            (weakMonitor, received) = (monitor, monitor.events)
            let attachment = center.attach(monitor)
            center.post(Ping())
            withExtendedLifetime(attachment) {}
        }
        center.post(Ping())
        #expect(received.count == 1)
        #expect(weakMonitor == nil)
    }

    @Test func `several monitors receive events, each until it is detached`() {
        let (first, second) = (RecordingMonitor(), RecordingMonitor())
        let token = center.addObserver(for: Ping.self) { _ in }
        let attachments = (center.attach(first), center.attach(second))
        center.post(Ping())
        attachments.0.detach()
        center.post(Ping())
        #expect(first.events.count == 2)
        #expect(second.events.count == 4)
        withExtendedLifetime((token, attachments)) {}
    }

    @Test func `a monitored post calls observers in order, except observers added or cancelled during the post`() {
        let (center, received, box) = (center, ReceivedValues<Int>(), Tokens())
        let attachment = center.attach(RecordingMonitor())
        let tokens = (0..<3).map { number in
            center.addObserver(for: Ping.self) { _ in
                received.append(number)
                if number == 0 {
                    box.all.first?.cancel()
                    center.addObserver(for: Ping.self) { _ in received.append(9) }.store(in: &Self.nowhere)
                }
            }
        }
        box.append(tokens[1])
        #expect(center.post(Ping()) == 2)
        #expect(received.values == [0, 2])
        withExtendedLifetime((attachment, tokens)) {}
    }

    private static var nowhere: [NotificationToken] {
        get { [] }
        set {}
    }

    @Test func `the durations of a post and of its calls are measured with the monitor's clock`() {
        let (monitor, clock) = (RecordingMonitor(), clock)
        let attachment = center.attach(monitor, clock: clock)
        let tokens = [1, 2].map { seconds in
            center.addObserver(for: Ping.self) { _ in clock.advance(by: .seconds(seconds)) }
        }
        center.post(Ping())
        #expect(monitor.deliveries.map(\.duration) == [.seconds(1), .seconds(2)])
        #expect(monitor.deliveries.map(\.waited) == [nil, nil])
        #expect(monitor.posts.map(\.duration) == [.seconds(3)])
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test func `an asynchronous call is reported with its waiting time, its duration and the length of the queue`()
        async
    {
        let (monitor, clock, actor) = (RecordingMonitor(), clock, StoppedActor())
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, note in clock.advance(by: .seconds(note.number))
        }
        let attachment = center.attach(monitor, clock: clock)
        center.post(Numbered(number: 1))
        clock.advance(by: .seconds(10))
        center.post(Numbered(number: 2))
        #expect(monitor.words == ["queued 1", "posted to 1", "queued 2", "posted to 1"])
        await actor.executor.finish { monitor.deliveries.count == 2 }
        #expect(monitor.deliveries.map(\.waited) == [.seconds(10), .seconds(1)])
        #expect(monitor.deliveries.map(\.duration) == [.seconds(1), .seconds(2)])
        #expect(monitor.deliveries.map(\.waiting) == [1, 0])
        #expect(monitor.deliveries.map(\.isOnMainActor) == [false, false])
        withExtendedLifetime(attachment) {}
    }

    @Test func `a call that suspends is reported when it has returned, with the value of isOnMainActor`() async {
        let (monitor, clock, begun, gate) = (RecordingMonitor(), clock, Gate(), Gate())
        let attachment = center.attach(monitor, clock: clock)
        let token = center.addObserver(on: .task, for: Numbered.self) { @MainActor _ in
            begun.open()
            await gate.wait()
        }
        center.post(Numbered(number: 1))
        await begun.wait()
        #expect(monitor.deliveries.isEmpty)
        clock.advance(by: .seconds(5))
        gate.open()
        await token.cancelAndDrain()
        await eventually("a delivery is reported") { !monitor.deliveries.isEmpty }
        #expect(monitor.deliveries.map(\.duration) == [.seconds(5)])
        #expect(monitor.deliveries.map(\.isOnMainActor) == [true])
        withExtendedLifetime(attachment) {}
    }

    @Test func `drops by a policy are reported, and so are elements that a sequence's consumer takes`() async {
        let (monitor, clock) = (RecordingMonitor(), clock)
        let attachment = center.attach(monitor, clock: clock)
        let newest = center.notifications(of: Numbered.self, buffering: .latest(1))
        var iterator = newest.makeAsyncIterator()
        for number in 0..<2 { center.post(Numbered(number: number)) }
        clock.advance(by: .seconds(3))
        #expect(await iterator.next()?.number == 1)
        #expect(
            monitor.words == [
                "registered", "queued 1", "posted to 1", "queued 1", "dropped 1", "posted to 1",
                "delivered as a sequence",
            ])
        #expect(monitor.deliveries.map(\.waited) == [.seconds(3)])
        #expect(monitor.deliveries.map(\.duration) == [nil])
        withExtendedLifetime(attachment) {}
    }

    @Test func `a notification that a full queue drops is reported as dropped, and not as queued`() async {
        let (monitor, actor) = (RecordingMonitor(), StoppedActor())
        center.addObserver(actor, on: .actor, for: Numbered.self, buffering: .oldest(1)) { _, _ in }
        let attachment = center.attach(monitor)
        for number in 0..<3 { center.post(Numbered(number: number)) }
        #expect(
            monitor.words == ["queued 1", "posted to 1", "dropped 1", "posted to 1", "dropped 2", "posted to 1"])
        await actor.executor.finish { monitor.deliveries.count == 1 }
        withExtendedLifetime(attachment) {}
    }

    @Test
    func `notifications that are still queued when a monitor is detached are delivered, but not reported`() async {
        let (monitor, actor, received) = (RecordingMonitor(), StoppedActor(), ReceivedValues<Int>())
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, note in received.append(note.number) }
        center.post(Numbered(number: 0))
        let attachment = center.attach(monitor)
        center.post(Numbered(number: 1))
        attachment.detach()
        center.post(Numbered(number: 2))
        await actor.executor.finish { received.count == 3 }
        #expect(received.values == [0, 1, 2])
        #expect(monitor.words == ["queued 2", "posted to 1"])
    }

    @Test func `deliver waits for monitored calls, and counts calls of cancelled observers as discarded`() async {
        let (center, received, begun, gate) = (center, ReceivedValues<Int>(), Gate(), Gate())
        let attachment = center.attach(RecordingMonitor())
        let busy = center.addObserver(on: .task, for: Numbered.self) { _ in
            begun.open()
            await gate.wait()
        }
        center.post(Numbered(number: 0))
        await begun.wait()
        let token = center.addObserver(on: .task, for: Numbered.self) { note in
            await Task.yield()
            received.append(note.number)
        }
        async let receipt = center.deliver(Numbered(number: 1))
        await received.wait(for: 1)
        busy.cancel()
        let result = await receipt
        #expect(result.asynchronousCalls == 1)
        #expect(result.discardedCalls == 1)
        #expect(result.isComplete)
        gate.open()
        await busy.cancelAndDrain()
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `the end of an observation is reported after its owner, sender or center was deallocated`() {
        let monitor = RecordingMonitor()
        var owner: Account? = Account()
        var sender: Account? = Account()
        var center: NativeNotificationCenter? = NativeNotificationCenter()
        let attachment = center?.attach(monitor)
        if let owner { center?.addObserver(owner, for: Ping.self) { _, _ in } }
        let limited = center?.addObserver(for: Renamed.self, sender: sender) { _ in }
        let token = center?.addObserver(for: Pong.self) { _ in }
        (owner, sender) = (nil, nil)
        center?.post(Ping())
        center?.post(Renamed(sender: Account()))
        #expect(monitor.words.filter { $0 == "ended" }.count == 2)
        center = nil
        #expect(monitor.words.filter { $0 == "ended" }.count == 3)
        withExtendedLifetime((attachment, limited, token)) {}
    }

    @MainActor
    @Test func `a main-actor notification is reported with its own type, and its delivery with isOnMainActor`() {
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        let token = center.addObserver(for: WillShow.self) { _ in }
        center.post(WillShow())
        #expect(monitor.posts.first?.subject.type == WillShow.self)
        #expect(monitor.deliveries.map(\.isOnMainActor) == [true])
        withExtendedLifetime((attachment, token)) {}
    }

    // MARK: Events caused by monitors

    @Test func `a monitor that posts and observes doesn't receive the events that it causes, so it doesn't recurse`() {
        let (center, calls, tokens) = (center, ReceivedValues<Int>(), Tokens())
        let token = center.addObserver(for: Pong.self) { _ in
            calls.append(1)
            center.post(Ping())
        }
        let other = RecordingMonitor()
        let monitor = RecordingMonitor { event in
            guard case .posted = event else { return }
            center.post(Pong())
            tokens.append(center.addObserver(for: Ping.self) { _ in })
        }
        let attachments = (center.attach(monitor), center.attach(other))
        center.post(Ping())
        #expect(monitor.words == ["posted to 0"])
        #expect(other.words == ["posted to 0"])
        #expect(calls.count == 1)
        #expect(center.observations.count == 2)
        withExtendedLifetime((attachments, token)) {}
    }

    @Test
    func `if a monitor posts, it doesn't receive the resulting calls and posts of asynchronous observers`() async {
        let (center, received) = (center, ReceivedValues<Int>())
        let observers = [
            center.addObserver(on: .task, for: Numbered.self) { _ in
                center.post(Ping())
                received.append(0)
            },
            center.addObserver(on: .main, for: Numbered.self) { _ in
                center.post(Ping())
                received.append(0)
            },
        ]
        let monitor = RecordingMonitor { event in
            guard case .posted = event else { return }
            center.post(Numbered(number: 0))
            Task { center.post(Numbered(number: 1)) }
        }
        let attachment = center.attach(monitor)
        center.post(Ping())
        await received.wait(for: 4)
        #expect(monitor.words == ["posted to 0"])
        center.post(Ping())
        #expect(monitor.words == ["posted to 0", "posted to 0"])
        withExtendedLifetime((attachment, observers)) {}
    }

    @Test func `a monitor can cancel observers and detach itself while it receives an event`() {
        let (center, tokens) = (center, Tokens())
        let attachments = Lock<[MonitorAttachment]>([])
        let monitor = RecordingMonitor { event in
            guard case .delivered = event else { return }
            tokens.cancel()
            for attachment in attachments.withLock({ $0 }) { attachment.detach() }
        }
        let attachment = center.attach(monitor)
        attachments.withLock { $0.append(attachment) }
        tokens.append(center.addObserver(for: Ping.self) { _ in })
        center.post(Ping())
        #expect(monitor.words == ["registered", "delivered in the post"])
        #expect(center.post(Ping()) == 0)
    }
}
