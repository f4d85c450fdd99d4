import TestSupport
import Testing
import Tidings
import TidingsEngine
import TidingsTesting

private struct Ping: TypedNotification {}
private struct Pong: TypedNotification {}

private struct Silent: NotificationMonitor {
    func receive(_ event: NotificationEvent) {}
}

@Suite(.timeLimit(.minutes(2))) struct MonitoredPostTests {
    private let center = NativeNotificationCenter()
    private let monitor = RecordingMonitor()

    private var words: [String] {
        monitor.events.values.map { event in
            switch event {
            case .delivered(let delivery): "delivered \(delivery.observer.subject.name.suffix(4))"
            case .posted(let post): "posted \(post.subject.name.suffix(4))"
            default: event.words
            }
        }
    }

    @Test func `a post made in a call is reported after the earlier calls, and before the call that makes it`() {
        let center = center
        let attachment = center.attach(monitor)
        var tokens = [center.addObserver(for: Pong.self) { _ in }]
        for isPosting in [false, true, false] {
            center.addObserver(for: Ping.self) { _ in if isPosting { center.post(Pong()) } }.store(in: &tokens)
        }
        center.post(Ping())
        #expect(
            words.dropFirst(4) == [
                "delivered Ping", "delivered Pong", "posted Pong", "delivered Ping", "delivered Ping", "posted Ping",
            ])
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test
    func `registrations, cancellations and queued notifications in a call are reported after earlier calls`() async {
        let (center, box, others, actor) = (center, Tokens(), Tokens(), StoppedActor())
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        box.append(center.addObserver(for: Ping.self) { _ in })
        let tokens = [
            center.addObserver(for: Ping.self) { _ in
                box.cancel()
                others.append(center.addObserver(for: Pong.self) { _ in })
            },
            center.addObserver(for: Ping.self) { _ in center.post(Numbered(number: 1)) },
        ]
        let attachment = center.attach(monitor)
        center.post(Ping())
        #expect(
            monitor.words == [
                "delivered in the post", "ended", "registered", "delivered in the post", "queued 1", "posted to 1",
                "delivered in the post", "posted to 3",
            ])
        #expect(Set(monitor.deliveries.map(\.observer.place.line)).count == 3)
        await actor.executor.finish { monitor.deliveries.count == 4 }
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test(arguments: [1, 31, 32, 33, 200]) func `every call is reported, with its own duration, in order`(count: Int) {
        let attachment = center.attach(monitor)
        let tokens = (0..<count).map { number in center.addObserver(for: Ping.self, line: UInt(number)) { _ in } }
        for _ in 0..<2 { center.post(Ping()) }
        #expect(
            monitor.deliveries.map(\.observer.place.line)
                == [Array(0..<UInt(count)), Array(0..<UInt(count))].flatMap(\.self))
        #expect(monitor.deliveries.allSatisfy { $0.duration.map { $0 >= .zero } == true })
        #expect(monitor.posts.allSatisfy { $0.duration.map { $0 >= .zero } == true })
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test func `nested posts are reported from the innermost to the outermost, even if they are nested 80 deep`() {
        let (center, depth) = (center, 80)
        let attachment = center.attach(monitor)
        let tokens = (0..<2).map { _ in
            center.addObserver(for: Numbered.self) { note in
                if note.number > 0 { center.post(Numbered(number: note.number < 5 ? 0 : note.number - 1)) }
            }
        }
        center.post(Numbered(number: 4))
        #expect(monitor.posts.count == 3)
        let once = Tokens()
        let nested = center.addObserver(for: Ping.self) { _ in
            once.append(center.addObserver(for: Pong.self) { _ in })
            if once.all.count < depth { center.post(Ping()) }
        }
        center.post(Ping())
        #expect(monitor.posts.dropFirst(3).map(\.observers) == Array(repeating: 1, count: depth))
        #expect(
            monitor.words.suffix(2 * depth)
                == Array(repeating: ["delivered in the post", "posted to 1"], count: depth).flatMap(\.self)[...])
        withExtendedLifetime((attachment, tokens, nested)) {}
    }

    @Test
    func
        `a monitor attached during a call receives the next post, and a detached monitor receives nothing more`()
    {
        let (center, other) = (center, RecordingMonitor())
        let attachments = Lock<[MonitorAttachment]>([])
        let first = center.attach(monitor)
        let token = center.addObserver(for: Ping.self) { _ in
            let attachment = center.attach(other)
            attachments.withLock { $0.append(attachment) }
            first.detach()
        }
        center.post(Ping())
        #expect(monitor.words == ["registered"])
        #expect(other.events.count == 0)
        attachments.withLock { $0.removeFirst() }.detach()
        center.post(Ping())
        center.post(Pong())
        #expect(other.words == ["posted to 0"])
        withExtendedLifetime(token) {}
    }

    @Test func `a monitor whose attachment is released during a call lives until the post has ended`() {
        weak let weakMonitor: RecordingMonitor?
        let token: NotificationToken
        do {
            let monitor = RecordingMonitor()
            weakMonitor = monitor
            let attachments = Lock([center.attach(monitor)])
            token = center.addObserver(for: Ping.self) { [weak monitor] _ in
                attachments.withLock { $0.removeAll() }
                #expect(monitor != nil)
            }
        }
        #expect(weakMonitor != nil)
        #expect(center.post(Ping()) == 1)
        #expect(weakMonitor == nil)
        withExtendedLifetime(token) {}
    }

    #if DEBUG
        @Test(arguments: [MonitorInterests.everything, [.posts], [.deliveries, .durations]])
        func `a monitored post takes no lock`(interests: MonitorInterests) {
            let attachment = center.attach(Silent(), interests: interests)
            let tokens = (0..<3).map { _ in center.addObserver(for: Ping.self) { _ in } }
            // A post takes a lock while parallel tests occupy all lanes, the slots for running posts. So the test
            // passes if one post takes no lock.
            let takesNone = (0..<20_000).contains { _ in
                let before = LockCount.ofThisThread
                center.post(Ping())
                return LockCount.ofThisThread == before
            }
            #expect(takesNone)
            withExtendedLifetime((attachment, tokens)) {}
        }
    #endif

    // MARK: Samples of posts

    @Test func `with a sampling interval of 3, a monitor receives every third post and its calls`() async {
        let (every, actor, count) = (RecordingMonitor(), StoppedActor(), 900)
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        let token = center.addObserver(for: Numbered.self) { _ in }
        let attachments = (center.attach(monitor, samplingInterval: 3), center.attach(every))
        for number in 0..<count { center.post(Numbered(number: number)) }
        // The sample contains the first post of each lane (a slot for a running post). Posts use several lanes while
        // parallel tests occupy the usual lane.
        let told = monitor.posts.count
        #expect((count / 3...count / 3 + 64).contains(told))
        #expect(
            monitor.words.map { $0.hasPrefix("queued") ? "queued" : $0 }
                == Array(repeating: ["queued", "delivered in the post", "posted to 2"], count: told).flatMap(\.self))
        #expect(every.posts.count == count)
        await actor.executor.finish { every.deliveries.count == 2 * count }
        #expect(monitor.deliveries.count == 2 * told)
        withExtendedLifetime((attachments, token)) {}
    }

    @Test
    func `a sampling monitor receives all failures, but only the asynchronous calls of sampled posts`() async {
        struct Refused: Error {}
        let (actor, failing, calls, count) = (StoppedActor(), StoppedActor(), ReceivedValues<Int>(), 900)
        center.addObserver(actor, on: .actor, for: Numbered.self) { calls.append($1.number) }
        center.addObserver(failing, on: .actor, for: Numbered.self) { _, _ in throw Refused() }
        let attachment = center.attach(monitor, samplingInterval: 3)
        for number in 0..<count { center.post(Numbered(number: number)) }
        let told = monitor.posts.count
        #expect((count / 3...count / 3 + 64).contains(told))
        await actor.executor.finish { calls.count == count }
        await failing.executor.finish { monitor.failures.count == count }
        #expect(monitor.deliveries.count == 2 * told)
        withExtendedLifetime(attachment) {}
    }

    @Test func `with a sampling interval of 2, a monitor of a bus receives every second dispatch`() {
        let bus = MessageBus<Int>()
        let attachment = bus.attach(monitor, samplingInterval: 2)
        for number in 0..<5 { bus.dispatch(number) }
        #expect(monitor.words == ["posted to 0", "posted to 0", "posted to 0"])
        withExtendedLifetime(attachment) {}
    }
}
