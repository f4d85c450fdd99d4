import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}
private struct Pong: TypedNotification {}

private struct WordCarrier: ContextCarryingMonitor {
    @TaskLocal static var word: String?

    let told: ReceivedValues<String?>

    func receive(_ event: NotificationEvent) { if case .delivered = event { told.append(Self.word) } }
    func post(_ subject: NotificationSubject, from place: SourcePlace?, perform body: () -> Void) { body() }
    func context(for observer: ObserverDescription) -> String { "carried" }
    func call(_ observer: ObserverDescription, in context: String, perform body: () -> Void) {
        Self.$word.withValue(context, operation: body)
    }
    nonisolated(nonsending)
        func call(
            _ observer: ObserverDescription, in context: String, perform body: nonisolated(nonsending) () async -> Void
        ) async
    { await Self.$word.withValue(context, operation: body) }
}

@Suite(.timeLimit(.minutes(2))) struct EventIDTests {
    private let center = NativeNotificationCenter()
    private let monitor = RecordingMonitor()

    @Test func `each post has an identity, which its deliveries contain`() async {
        let actor = StoppedActor()
        let attachment = center.attach(monitor)
        let tokens = (0..<2).map { _ in center.addObserver(for: Numbered.self) { _ in } }
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        for number in 0..<3 { center.post(Numbered(number: number)) }
        await actor.executor.finish { monitor.deliveries.count == 9 }
        let posts = monitor.posts.map(\.id)
        #expect(Set(posts).count == 3)
        #expect(Set(monitor.deliveries.map(\.id)).count == 9)
        let inPost = monitor.deliveries.filter { $0.observer.delivery == .inPost }
        #expect(inPost.map(\.post) == posts.flatMap { [$0, $0] })
        #expect(monitor.deliveries.filter { $0.observer.delivery == .actor }.map(\.post) == posts)
        #expect(monitor.posts.map(\.cause) == [nil, nil, nil])
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test func `an identity is printed as a hexadecimal number, and is unique across threads`() async {
        let (center, attachment) = (center, center.attach(monitor))
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<500 { center.post(Ping()) } } }
        }
        let other = NativeNotificationCenter()
        let second = other.attach(monitor)
        other.post(Ping())
        #expect(Set(monitor.posts.map { "\($0.id)" }).count == 2001)
        let id = NotificationPost.ID(number: 0x1f2e)
        #expect("\(id)" == "1f2e")
        let token = center.addObserver(for: Ping.self) { _ in }
        center.post(Ping())
        #expect(monitor.deliveries.map { "\($0.id)" } == monitor.posts.suffix(1).map { "\($0.id).1" })
        withExtendedLifetime((attachment, second, token)) {}
    }

    @Test func `a nested post contains the identity of the call in which it was made`() {
        let center = center
        let attachment = center.attach(monitor)
        let tokens = [
            center.addObserver(for: Ping.self) { _ in },
            center.addObserver(for: Ping.self) { _ in
                center.post(Pong())
                center.post(Pong())
            },
            center.addObserver(for: Pong.self) { _ in center.post(Numbered(number: 1)) },
        ]
        center.post(Ping())
        center.post(Pong())
        let (pings, pongs) = (deliveries(of: Ping.self), deliveries(of: Pong.self))
        #expect(causes(of: Ping.self) == [nil])
        #expect(causes(of: Pong.self) == [pings.last?.id, pings.last?.id, nil])
        #expect(causes(of: Numbered.self) == pongs.map(\.id))
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test func `a post by an asynchronous observer contains the identity of the call, even after a suspension`() async {
        let (center, received, actor) = (center, ReceivedValues<Int>(), StoppedActor())
        let attachment = center.attach(monitor)
        let token = center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in
            center.post(Ping())
            received.append(0)
        }
        let tokens = [
            center.addObserver(on: .task, for: Numbered.self) { _ in
                await Task.yield()
                center.post(Pong())
                await Task { _ = center.post(Pong()) }.value
                received.append(1)
            }
        ]
        for number in 0..<2 { center.post(Numbered(number: number)) }
        await actor.executor.finish { received.count == 4 && monitor.deliveries.count == 4 }
        let (inActor, inTask) = (deliveries(.actor), deliveries(.task))
        #expect(causes(of: Ping.self) == inActor.map(\.id))
        #expect(causes(of: Pong.self) == inTask.flatMap { [$0.id, $0.id] })
        #expect(inActor.map(\.post) == inTask.map(\.post))
        // Breaks the reference cycle between the center and the observer's closure.
        token.cancel()
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test
    func `a post contains the identity of the monitored call that caused it, even through an unmonitored center`() {
        let (other, unmonitored) = (NativeNotificationCenter(), NativeNotificationCenter())
        let attachments = [center.attach(monitor), other.attach(monitor)]
        let tokens = [
            center.addObserver(for: Ping.self) { _ in unmonitored.post(Ping()) },
            unmonitored.addObserver(for: Ping.self) { _ in other.post(Pong()) },
        ]
        center.post(Ping())
        #expect(causes(of: Pong.self) == deliveries(of: Ping.self).map(\.id))
        withExtendedLifetime((attachments, tokens)) {}
    }

    @Test func `a dispatch on a bus has an identity, which its consumers' deliveries contain`() async {
        let (bus, consumer) = (MessageBus<Int>(), Consumer())
        let attachment = bus.attach(monitor)
        bus.add(consumer)
        for message in 0..<2 { bus.dispatch(message) }
        await eventually("two deliveries are reported", { monitor.deliveries.count }, until: { $0 >= 2 })
        #expect(monitor.deliveries.map(\.post) == monitor.posts.map(\.id))
        #expect(monitor.deliveries.first?.observer.registeredAt != nil)
        withExtendedLifetime((attachment, consumer)) {}
    }

    @Test func `an observer has the same identity in events and in observations, and no later observer gets it`() {
        let attachment = center.attach(monitor)
        var ids: [ObserverDescription.ID] = []
        for _ in 0..<200 {
            let token = center.addObserver(for: Ping.self) { _ in }
            ids += center.observations.map(\.id)
            center.post(Ping())
            token.cancel()
        }
        #expect(ids == monitor.deliveries.map(\.observer.id))
        #expect(Set(ids).count == 200)
        #expect(Set(ids.map { "\($0)" }).count == 200)
        withExtendedLifetime(attachment) {}
    }

    @Test func `an observer has a registration time only if a monitor was attached when it registered`() {
        let before = ContinuousClock.now
        let first = center.addObserver(for: Ping.self) { _ in }
        let attachment = center.attach(monitor)
        let second = center.addObserver(for: Ping.self) { _ in }
        let times = center.observations.map(\.registeredAt)
        #expect(times.first == .some(nil))
        #expect(times.last?.map { before <= $0 && $0 <= .now } == true)
        withExtendedLifetime((attachment, first, second)) {}
    }

    @Test func `a thread's current post has an identity only while a monitor is attached`() {
        let during = ReceivedValues<NotificationPost.ID?>()
        let token = center.addObserver(for: Ping.self) { _ in during.append(.ofThread) }
        center.post(Ping())
        let attachment = center.attach(monitor)
        for _ in 0..<2 { center.post(Ping()) }
        #expect(during.values == [nil] + monitor.posts.map { Optional($0.id) })
        #expect(NotificationPost.ID.ofThread == nil)
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `a delivery is reported in the context in which the observer was called`() async {
        let (told, actor) = (ReceivedValues<String?>(), StoppedActor())
        let attachment = center.attach(WordCarrier(told: told))
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        let token = center.addObserver(on: .task, for: Numbered.self) { _ in await Task.yield() }
        center.post(Numbered(number: 0))
        await actor.executor.finish { told.count == 2 }
        #expect(told.values == ["carried", "carried"])
        withExtendedLifetime((attachment, token)) {}
    }

    private func deliveries(of type: Any.Type) -> [NotificationDelivery] {
        monitor.deliveries.filter { $0.observer.subject.type == type }
    }

    private func deliveries(_ mode: DeliveryMode) -> [NotificationDelivery] {
        monitor.deliveries.filter { $0.observer.delivery == mode }
    }

    private func causes(of type: Any.Type) -> [NotificationDelivery.ID?] {
        monitor.posts.filter { $0.subject.type == type }.map(\.cause)
    }
}

private actor Consumer: MessageConsumer {
    func consume(_ message: Int) {}
}
