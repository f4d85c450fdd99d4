import Foundation
import TestSupport
import Testing
import Tidings
import TidingsCombine
import TidingsTesting

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

@Suite(.timeLimit(.minutes(2))) struct PublisherTests {
    private let center = NativeNotificationCenter()

    private func post(_ numbers: ClosedRange<Int>) { for number in numbers { center.post(Counted(number: number)) } }

    @Test func `a subscriber behind operators receives a notification before the post returns`() {
        var received: [Int] = []
        let cancellable = center.publisher(for: Counted.self)
            .map(\.number)
            .filter { $0.isMultiple(of: 2) }
            .sink { received.append($0) }
        post(1...3)
        #expect(received == [2])
        post(4...4)
        #expect(received == [2, 4])
        cancellable.cancel()
    }

    @Test func `a subscriber is called on the thread that posts`() async {
        let threads = ReceivedValues<ObjectIdentifier>()
        let subscriber = TestSubscriber<Counted>(demanding: .unlimited) { _ in
            threads.append(ObjectIdentifier(Thread.current))
        }
        center.publisher(for: Counted.self).subscribe(subscriber)
        let center = center
        await onOwnThread {
            center.post(Counted(number: 1))
            #expect(threads.values == [ObjectIdentifier(Thread.current)])
        }
    }

    @Test func `each subscriber observes from the moment it subscribes`() {
        let publisher = center.publisher(for: Counted.self)
        #expect(center.observations.isEmpty)
        post(1...1)
        let first = TestSubscriber<Counted>(demanding: .unlimited)
        publisher.subscribe(first)
        post(2...2)
        let second = TestSubscriber<Counted>(demanding: .unlimited)
        publisher.subscribe(second)
        post(3...3)
        #expect(first.numbers == [2, 3])
        #expect(second.numbers == [3])
    }

    @Test func `an observation has the source line of the publisher`() {
        let cancellable = center.publisher(for: Counted.self).sink { _ in }
        #expect(center.observations.map(\.place) == [SourcePlace(line: #line - 1)])
        #expect(center.observations.map(\.delivery) == [.inPost])
        cancellable.cancel()
    }

    @Test
    func
        `a publisher for a sender publishes only that sender's posts, and doesn't retain the sender`()
    {
        let senders = [Author(), Author()]
        let subscriber = TestSubscriber<Written>(demanding: .unlimited)
        center.publisher(for: Written.self, sender: senders[0]).subscribe(subscriber)
        for (number, sender) in senders.enumerated() { center.post(Written(sender: sender, number: number)) }
        #expect(subscriber.received.map(\.number) == [0])

        var sender: Author? = Author()
        weak let isThere = sender
        let publisher = center.publisher(for: Written.self, sender: sender)
        let cancellable = publisher.sink { _ in }
        sender = nil
        #expect(isThere == nil)
        withExtendedLifetime((publisher, cancellable)) {}
    }

    @Test
    func `if a subscriber posts during a call, it receives this post after the call, before the outer post ends`() {
        let (center, subscriber) = (center, TestSubscriber<Counted>(demanding: .unlimited))
        var depth = 0
        subscriber.onReceive = { note in
            depth += 1
            #expect(depth == 1)
            if note.number < 3 { center.post(Counted(number: note.number + 1)) }
            depth -= 1
        }
        center.publisher(for: Counted.self).subscribe(subscriber)
        post(1...1)
        #expect(subscriber.numbers == [1, 2, 3])
    }

    @Test
    func `a post during another thread's call returns at once, and the other thread delivers the notification`()
        async
    {
        let (isCalled, mayReturn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let threads = ReceivedValues<ObjectIdentifier>()
        let subscriber = TestSubscriber<Counted>(demanding: .unlimited)
        subscriber.onReceive = { note in
            threads.append(ObjectIdentifier(Thread.current))
            guard note.number == 1 else { return }
            isCalled.signal()
            mayReturn.wait()
        }
        center.publisher(for: Counted.self).subscribe(subscriber)
        let center = center
        async let first: Void = onOwnThread { center.post(Counted(number: 1)) }
        await onOwnThread {
            isCalled.wait()
            center.post(Counted(number: 2))
            #expect(subscriber.numbers == [1])
            mayReturn.signal()
        }
        await first
        #expect(subscriber.numbers == [1, 2])
        #expect(Set(threads.values).count == 1)
    }

    @Test
    func `a subscriber receives the posts of several threads one at a time, and those of each thread in order`()
        async
    {
        let count = 20_000
        let subscriber = TestSubscriber<Written>(demanding: .unlimited)
        var isCalled = false
        subscriber.onReceive = { _ in
            #expect(!isCalled)
            isCalled = true
            isCalled = false
        }
        center.publisher(for: Written.self).subscribe(subscriber)
        let (center, authors) = (center, [Author(), Author()])
        await withTaskGroup { group in
            for author in authors {
                group.addTask {
                    await onOwnThread {
                        for number in 1...count { center.post(Written(sender: author, number: number)) }
                    }
                }
            }
        }
        for author in authors {
            #expect(subscriber.received.filter { $0.sender === author }.map(\.number) == Array(1...count))
        }
    }

    @Test func `monitors receive queued and dropped notifications`() {
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        let subscriber = TestSubscriber<Counted>(demanding: .none)
        center.publisher(for: Counted.self, buffering: .latest(1)).subscribe(subscriber)
        post(1...2)
        subscriber.subscription?.cancel()
        #expect(
            monitor.words == [
                "registered", "queued 1", "delivered in the post", "posted to 1", "dropped 1", "delivered in the post",
                "posted to 1", "ended",
            ])
        withExtendedLifetime(attachment) {}
    }
}

@Suite(.timeLimit(.minutes(2))) struct PublisherDemandTests {
    private let center = NativeNotificationCenter()

    private func post(_ numbers: ClosedRange<Int>) { for number in numbers { center.post(Counted(number: number)) } }

    @Test func `a subscriber receives no more than it demands, and a demand delivers queued notifications in order`() {
        let subscriber = TestSubscriber<Counted>(demanding: .max(2))
        center.publisher(for: Counted.self).subscribe(subscriber)
        post(1...5)
        #expect(subscriber.numbers == [1, 2])
        #expect(center.observations.map(\.queued) == [3])
        subscriber.subscription?.request(.max(1))
        #expect(subscriber.numbers == [1, 2, 3])
        subscriber.subscription?.request(.unlimited)
        #expect(subscriber.numbers == [1, 2, 3, 4, 5])
        post(6...6)
        #expect(subscriber.numbers == [1, 2, 3, 4, 5, 6])
    }

    @Test func `the value that a subscriber returns is added to its demand`() {
        let subscriber = TestSubscriber<Counted>(demanding: .max(1))
        subscriber.demandPerNotification = { $0.number < 3 ? .max(1) : .none }
        center.publisher(for: Counted.self).subscribe(subscriber)
        post(1...5)
        #expect(subscriber.numbers == [1, 2, 3])
    }

    @Test func `a demand that a subscriber makes during a call is met after the call returns`() {
        let subscriber = TestSubscriber<Counted>(demanding: .none)
        subscriber.onReceive = { [unowned subscriber] _ in
            let before = subscriber.received.count
            subscriber.subscription?.request(.max(1))
            #expect(subscriber.received.count == before)
        }
        center.publisher(for: Counted.self).subscribe(subscriber)
        post(1...3)
        subscriber.subscription?.request(.max(1))
        #expect(subscriber.numbers == [1, 2, 3])
    }

    @Test(arguments: [
        (BufferingPolicy.unbounded, [1, 2, 3, 4], 0), (.oldest(2), [1, 2], 2), (.latest(2), [3, 4], 2),
        (.latest(0), [], 4),
    ])
    func `without demand, the buffering policy queues or drops notifications, and drops are counted`(
        _ policy: BufferingPolicy, _ expected: [Int], _ dropped: Int
    ) {
        let publisher = center.publisher(for: Counted.self, buffering: policy)
        let subscriber = TestSubscriber<Counted>(demanding: .none)
        publisher.subscribe(subscriber)
        post(1...4)
        #expect(publisher.droppedCount == dropped)
        #expect(center.observations.map(\.dropped) == [dropped])
        subscriber.subscription?.request(.unlimited)
        #expect(subscriber.numbers == expected)
        post(5...5)
        #expect(subscriber.numbers == expected + [5])
    }

    @Test func `the center's statistics count the notifications that a publisher's policy drops`() {
        let publisher = center.publisher(for: Counted.self, buffering: .latest(1))
        let subscriber = TestSubscriber<Counted>(demanding: .none)
        publisher.subscribe(subscriber)
        post(1...3)
        #expect(publisher.droppedCount == 2)
        #expect(center.statistics[Counted.self]?.drops == 2)
        withExtendedLifetime(subscriber) {}
    }

    @Test func `the events of a subscriber's calls state whether its policy intends drops`() {
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        let subscriber = TestSubscriber<Counted>(demanding: .max(1))
        center.publisher(for: Counted.self, buffering: .latest(1)).subscribe(subscriber)
        post(1...3)
        #expect(monitor.deliveries.map(\.observer.intendsDrops) == [true, true, true])
        withExtendedLifetime(attachment) {}
    }

    @Test func `dropped notifications are released`() {
        let subscriber = TestSubscriber<Written>(demanding: .none)
        center.publisher(for: Written.self, buffering: .latest(1)).subscribe(subscriber)
        var author: Author? = Author()
        weak let isThere = author
        if let author { center.post(Written(sender: author, number: 1)) }
        author = nil
        #expect(isThere != nil)
        center.post(Written(sender: Author(), number: 2))
        #expect(isThere == nil)
    }

    @Test func `a publisher's long queue recovers when demand has shortened it`() {
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor, thresholds: WarningThresholds(waiting: 3, call: nil))
        let subscriber = TestSubscriber<Counted>(demanding: .none)
        center.publisher(for: Counted.self).subscribe(subscriber)
        post(1...6)
        subscriber.subscription?.request(.max(4))
        #expect(monitor.warnings.map(\.lengths) == ["long 4"])
        subscriber.subscription?.request(.max(1))
        #expect(monitor.warnings.map(\.lengths) == ["long 4", "recovered from 6"])
        withExtendedLifetime(attachment) {}
    }

    @Test func `a recovery isn't reported to later monitors if the publisher's queue has grown again`() async {
        let (recovered, goOn) = (Gate(), Gate())
        let slow = RecordingMonitor { event in
            guard case .warning(.queueRecovered(_, most: _)) = event else { return }
            recovered.open()
            goOn.wait(patience: .seconds(600))
        }
        let other = RecordingMonitor()
        let attachments = [slow, other].map {
            center.attach($0, thresholds: WarningThresholds(waiting: 3, call: nil))
        }
        let subscriber = TestSubscriber<Counted>(demanding: .none)
        center.publisher(for: Counted.self).subscribe(subscriber)
        post(1...6)
        subscriber.subscription?.request(.max(4))
        async let requested: Void = onOwnThread { subscriber.subscription?.request(.max(1)) }
        await recovered.wait()
        post(7...9)
        goOn.open()
        await requested
        #expect(slow.warnings.map(\.lengths) == ["long 4", "recovered from 6", "long 4"])
        #expect(other.warnings.map(\.lengths) == ["long 4"])
        subscriber.subscription?.request(.unlimited)
        #expect(other.warnings.map(\.lengths) == ["long 4", "recovered from 6"])
        withExtendedLifetime(attachments) {}
    }

    @Test func `an operator that demands one notification at a time receives all notifications`() {
        var received: [Int] = []
        let gate = PassthroughSubject<Void, Never>()
        let cancellable = center.publisher(for: Counted.self)
            .flatMap(maxPublishers: .max(1)) { note in gate.first().map { note.number } }
            .sink { received.append($0) }
        post(1...3)
        #expect(received.isEmpty)
        for _ in 1...3 { gate.send(()) }
        #expect(received == [1, 2, 3])
        cancellable.cancel()
    }

    @Test func `a notification posted during receive(subscription:) arrives after that method returns`() {
        let (center, subscriber) = (center, TestSubscriber<Counted>(demanding: .unlimited))
        subscriber.onSubscription = { [unowned subscriber] in
            center.post(Counted(number: 1))
            #expect(subscriber.received.isEmpty)
        }
        center.publisher(for: Counted.self).subscribe(subscriber)
        #expect(subscriber.numbers == [1])
    }
}

@Suite(.timeLimit(.minutes(2))) struct PublisherEndTests {
    private let center = NativeNotificationCenter()

    private func post(_ numbers: ClosedRange<Int>) { for number in numbers { center.post(Counted(number: number)) } }

    @Test func `releasing a cancellable ends the observation and releases the subscriber's captures`() {
        let captured = ReceivedValues<Int>()
        weak var isThere: Author?
        do {
            let author = Author()
            isThere = author
            let cancellable = center.publisher(for: Counted.self).sink { note in
                captured.append(note.number)
                withExtendedLifetime(author) {}
            }
            post(1...1)
            withExtendedLifetime(cancellable) {}
        }
        #expect(isThere == nil)
        #expect(center.observations.isEmpty)
        post(2...2)
        #expect(captured.values == [1])
    }

    @Test func `cancelling a subscription discards and releases queued notifications`() {
        let subscriber = TestSubscriber<Written>(demanding: .none)
        center.publisher(for: Written.self).subscribe(subscriber)
        var author: Author? = Author()
        weak let isThere = author
        if let author { center.post(Written(sender: author, number: 1)) }
        author = nil
        subscriber.subscription?.cancel()
        #expect(isThere == nil)
        subscriber.subscription?.request(.unlimited)
        subscriber.subscription?.cancel()
        center.post(Written(sender: Author(), number: 2))
        #expect(subscriber.received.isEmpty)
        #expect(!subscriber.isFinished)
        #expect(center.observations.isEmpty)
    }

    @Test func `a subscription cancelled after its center has finished isn't listed as running`() async {
        let subscriber = TestSubscriber<Counted>(demanding: .none)
        center.publisher(for: Counted.self).subscribe(subscriber)
        post(1...1)
        await center.finish(within: .seconds(600))
        #expect(center.callsUnderWay.map(\.queued) == [1])
        subscriber.subscription?.cancel()
        #expect(center.callsUnderWay.isEmpty)
    }

    @Test func `the status of a subscriber with limited demand changes with each call`() {
        let subscriber = TestSubscriber<Counted>(demanding: .max(1))
        center.publisher(for: Counted.self).subscribe(subscriber)
        post(1...3)
        for begun in 1...2 {
            let statuses = center.observations.map(\.calls)
            #expect(statuses.map(\.begun) == [begun] && statuses.map(\.left) == [begun])
            subscriber.subscription?.request(.max(1))
        }
        #expect(subscriber.received.map(\.number) == [1, 2, 3])
    }

    @Test func `a subscriber that cancels while it is called is not called again`() {
        let subscriber = TestSubscriber<Counted>(demanding: .none)
        subscriber.onReceive = { [unowned subscriber] note in
            if note.number == 2 { subscriber.subscription?.cancel() }
        }
        center.publisher(for: Counted.self).subscribe(subscriber)
        post(1...3)
        subscriber.subscription?.request(.unlimited)
        post(4...4)
        #expect(subscriber.numbers == [1, 2])
    }

    @Test func `a subscriber that cancels when it receives its subscription receives nothing else`() {
        let subscriber = TestSubscriber<Counted>(demanding: .unlimited)
        subscriber.onSubscription = { [unowned subscriber] in subscriber.subscription?.cancel() }
        center.publisher(for: Counted.self).subscribe(subscriber)
        post(1...1)
        #expect(subscriber.received.isEmpty)
        #expect(center.observations.isEmpty)
    }

    @Test func `a publisher whose center is released publishes the queued notifications before it finishes`() {
        let subscriber = TestSubscriber<Counted>(demanding: .max(1))
        var shortLived: NativeNotificationCenter? = NativeNotificationCenter()
        shortLived?.publisher(for: Counted.self).subscribe(subscriber)
        shortLived?.post(Counted(number: 1))
        shortLived?.post(Counted(number: 2))
        shortLived = nil
        #expect(!subscriber.isFinished)
        subscriber.subscription?.request(.max(1))
        #expect(subscriber.numbers == [1, 2])
        #expect(subscriber.isFinished)
    }

    @Test func `a publisher without demand finishes when its center is released, if nothing is queued`() {
        let subscriber = TestSubscriber<Counted>(demanding: .none)
        var shortLived: NativeNotificationCenter? = NativeNotificationCenter()
        shortLived?.publisher(for: Counted.self).subscribe(subscriber)
        #expect(!subscriber.isFinished)
        shortLived = nil
        #expect(subscriber.isFinished)
    }

    @Test func `a publisher retains its center, and a subscription doesn't`() {
        var center: NativeNotificationCenter? = NativeNotificationCenter()
        weak let isThere = center
        var publisher = center?.publisher(for: Counted.self)
        let cancellable = publisher?.sink { _ in }
        center = nil
        #expect(isThere != nil)
        publisher = nil
        #expect(isThere == nil)
        withExtendedLifetime(cancellable) {}
    }
}

@MainActor
@Suite(.timeLimit(.minutes(2))) struct MainActorPublisherTests {
    private let center = NativeNotificationCenter()

    @Test func `a main-actor notification is published on the main actor before the post returns`() {
        let senders = [Author(), Author()]
        let (all, limited) = (
            TestSubscriber<WillShow>(demanding: .unlimited), TestSubscriber<WillShow>(demanding: .unlimited)
        )
        center.publisher(for: WillShow.self).subscribe(all)
        center.publisher(for: WillShow.self, sender: senders[1]).subscribe(limited)
        for (number, sender) in senders.enumerated() { center.post(WillShow(sender: sender, number: number)) }
        #expect(all.received.map(\.number) == [0, 1])
        #expect(limited.received.map(\.number) == [1])
        #expect(center.observations.allSatisfy { $0.delivery == .inPostOnMainActor })
    }

    @Test func `queued notifications are delivered on the main actor, even if another thread demands them`() async {
        let received = ReceivedValues<Int>()
        let subscriber = TestSubscriber<WillShow>(demanding: .none) { note in
            MainActor.assumeIsolated { received.append(note.number) }
        }
        center.publisher(for: WillShow.self).subscribe(subscriber)
        for number in 1...2 { center.post(WillShow(sender: Author(), number: number)) }
        await onOwnThread { subscriber.subscription?.request(.unlimited) }
        center.post(WillShow(sender: Author(), number: 3))
        await received.wait(for: 3)
        #expect(received.values == [1, 2, 3])
    }

    @Test func `the long queue of a main-actor publisher is reported only once before it recovers`() async {
        let (monitor, received) = (RecordingMonitor(), ReceivedValues<Int>())
        let thresholds = WarningThresholds(waiting: 3, mainActorCall: nil, call: nil)
        let attachment = center.attach(monitor, thresholds: thresholds)
        let subscriber = TestSubscriber<WillShow>(demanding: .none) { note in received.append(note.number) }
        center.publisher(for: WillShow.self).subscribe(subscriber)
        for number in 1...6 { center.post(WillShow(sender: Author(), number: number)) }
        #expect(monitor.warnings.map(\.lengths) == ["long 4"])
        subscriber.subscription?.request(.unlimited)
        await received.wait(for: 6)
        #expect(monitor.warnings.map(\.lengths) == ["long 4", "recovered from 6"])
        withExtendedLifetime(attachment) {}
    }

    @Test func `cancelling a subscription on the main actor discards queued notifications`() async {
        let subscriber = TestSubscriber<WillShow>(demanding: .none)
        center.publisher(for: WillShow.self).subscribe(subscriber)
        center.post(WillShow(sender: Author(), number: 1))
        subscriber.subscription?.request(.unlimited)
        subscriber.subscription?.cancel()
        await Task { @MainActor in }.value
        #expect(subscriber.received.isEmpty)
    }

    @Test func `a publisher of main-actor notifications finishes on the main actor`() async {
        let ends = ReceivedValues<Int>()
        let subscriber = TestSubscriber<WillShow>(demanding: .unlimited)
        subscriber.onFinish = { MainActor.assumeIsolated { ends.append(1) } }
        var shortLived: NativeNotificationCenter? = NativeNotificationCenter()
        shortLived?.publisher(for: WillShow.self).subscribe(subscriber)
        shortLived = nil
        await ends.wait(for: 1)
        #expect(subscriber.isFinished)
    }
}

extension ObserverWarning {
    fileprivate var lengths: String {
        switch self {
        case .longQueue(_, let waiting): "long \(waiting)"
        case .queueRecovered(_, let most): "recovered from \(most)"
        default: description
        }
    }
}

private final class Author: Sendable {}

private struct Written: TypedNotification {
    let sender: Author
    let number: Int
}

private struct WillShow: MainActorNotification {
    let sender: Author
    let number: Int
}

/// A subscriber that records its calls. A subscription makes them on one thread at a time, and tests read the values
/// when nothing is being posted.
private final class TestSubscriber<Input: Sendable>: Subscriber, @unchecked Sendable {  // for the reason above
    typealias Failure = Never

    private let demand: Subscribers.Demand
    private(set) var subscription: (any Subscription)?
    private(set) var received: [Input] = []
    private(set) var isFinished = false
    var demandPerNotification: (Input) -> Subscribers.Demand = { _ in .none }
    var onSubscription: () -> Void = {}
    var onReceive: (Input) -> Void
    var onFinish: () -> Void = {}

    init(demanding demand: Subscribers.Demand, onReceive: @escaping (Input) -> Void = { _ in }) {
        self.demand = demand
        self.onReceive = onReceive
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        if demand > .none { subscription.request(demand) }
        onSubscription()
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        received.append(input)
        onReceive(input)
        return demandPerNotification(input)
    }

    func receive(completion: Subscribers.Completion<Never>) {
        isFinished = true
        onFinish()
    }
}

extension TestSubscriber<Counted> {
    fileprivate var numbers: [Int] { received.map(\.number) }
}
