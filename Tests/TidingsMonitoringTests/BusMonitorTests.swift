import TestSupport
import Testing
import Tidings
import TidingsTesting

/// A consumer that only runs when a test runs its executor.
private actor StoppedConsumer: MessageConsumer {
    nonisolated let executor = ManualExecutor()
    nonisolated let log = ReceivedValues<Int>()
    private let work: @Sendable () -> Void

    // The executor lives as long as the actor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(work: @escaping @Sendable () -> Void = {}) { self.work = work }

    func consume(_ message: Int) {
        work()
        log.append(message)
    }

    nonisolated func take(_ count: Int) async { await executor.run { log.count == count } }

    /// Runs the queued jobs, and lets later jobs run at once.
    nonisolated func finish() async { await executor.finish { true } }
}

@MainActor
private final class MainConsumer: MessageConsumer {
    private let work: () -> Void

    init(work: @escaping () -> Void) { self.work = work }

    func consume(_ message: Int) { work() }
}

private final class ClassConsumer: MessageConsumer {
    func consume(_ message: Int) {}
}

@Suite(.timeLimit(.minutes(2))) struct BusMonitorTests {
    private let bus = MessageBus<Int>()
    private let monitor = RecordingMonitor()
    private let clock = ManualClock()

    @Test func `an attached monitor receives the events of consumers, dispatches and deliveries`() async {
        let (first, second, clock) = (StoppedConsumer(), StoppedConsumer(), clock)
        bus.add(first)
        let attachment = bus.attach(monitor, clock: clock)
        bus.dispatch(1)
        #expect(monitor.words == ["queued 1", "posted to 1"])
        bus.add(second)
        bus.add(second)
        bus.dispatch(2)
        #expect(monitor.words.dropFirst(2).sorted() == ["posted to 2", "queued 1", "queued 2", "registered"])
        clock.advance(by: .seconds(3))
        await first.take(2)
        await second.take(1)
        // A delivery is reported shortly after the consumer has handled the message.
        await eventually("three deliveries are reported", { monitor.deliveries.count }, until: { $0 >= 3 })
        #expect(monitor.deliveries.map(\.waited) == Array(repeating: .seconds(3), count: 3))
        #expect(monitor.deliveries.map(\.waiting) == [1, 0, 0])
        bus.remove(first)
        bus.remove(first)
        #expect(monitor.words.last == "ended")
        attachment.detach()
        bus.dispatch(3)
        bus.add(first)
        bus.remove(second)
        #expect(monitor.events.values.count == 10)
        for consumer in [first, second] { await consumer.finish() }
    }

    @Test func `a consumer is reported with the message type, the place where it was added, and its delivery mode`()
        async
    {
        let (actor, main, other) = (StoppedConsumer(), await MainConsumer {}, ClassConsumer())
        let attachment = bus.attach(monitor)
        let line: UInt = #line
        bus.add(actor)
        bus.add(main, on: .main)
        bus.add(other)
        let observers = monitor.events.values.compactMap {
            if case .registered(let observer) = $0 { observer } else { nil }
        }
        #expect(observers.map(\.place) == (1...3).map { SourcePlace(line: line + $0) })
        #expect(observers.map(\.delivery) == [.actor, .mainActor, .task])
        #expect(observers.allSatisfy { $0.subject.type == Int.self })
        #expect(Set(observers).count == 3)
        bus.dispatch(1)
        #expect(monitor.posts.map(\.subject.name) == ["Swift.Int"])
        #expect(monitor.posts.map(\.observers) == [3])
        await actor.finish()
        withExtendedLifetime((attachment, main, other)) {}
    }

    @Test func `a queue that grows past its threshold is reported once, with the place where the consumer was added`()
        async
    {
        let consumer = StoppedConsumer()
        let attachment = bus.attach(monitor, thresholds: WarningThresholds(waiting: 2, ownerAge: nil))
        let line: UInt = #line + 1
        bus.add(consumer)
        for message in 0..<5 { bus.dispatch(message) }
        #expect(monitor.warnings.map(\.observer.place) == [SourcePlace(line: line)])
        #expect(
            monitor.warnings.first?.description.hasPrefix("3 notifications wait for an observer: Swift.Int") == true)
        await consumer.finish()
        withExtendedLifetime(attachment) {}
    }

    @Test @MainActor func `a consumer's slow calls cause one warning on the main actor, and none elsewhere`() async {
        let clock = clock
        let main = MainConsumer { clock.advance(by: .seconds(1)) }
        let actor = StoppedConsumer { clock.advance(by: .seconds(1)) }
        let attachment = bus.attach(monitor, clock: clock)
        bus.add(main, on: .main)
        bus.add(actor)
        for message in 0..<2 { bus.dispatch(message) }
        await eventually("two deliveries are reported", { monitor.deliveries.count }, until: { $0 >= 2 })
        await actor.executor.finish { monitor.deliveries.count == 4 }
        #expect(monitor.warnings.map(\.observer.delivery) == [.mainActor])
        #expect(monitor.deliveries.map(\.duration) == Array(repeating: .seconds(1), count: 4))
        #expect(monitor.deliveries.map(\.isOnMainActor) == [true, true, false, false])
        withExtendedLifetime((attachment, main)) {}
    }

    @Test func `a consumer that outlives its expected age is reported, and a deallocated one is reported as ended`()
        async
    {
        let consumer = StoppedConsumer()
        let attachment = bus.attach(monitor, thresholds: WarningThresholds(ownerAge: .seconds(60)), clock: clock)
        bus.add(consumer)
        do {
            let gone = ClassConsumer()
            bus.add(gone)
            withExtendedLifetime(gone) {}
        }
        clock.advance(by: .seconds(61))
        attachment.check()
        #expect(monitor.warnings.map(\.observer.delivery) == [.actor])
        // The first dispatch detects that the consumer was deallocated, and a later dispatch reports the end.
        await eventually("the end is reported") {
            if monitor.words.contains("ended") { return true }
            bus.dispatch(0)
            return false
        }
        #expect(monitor.posts.last?.observers == 1)
        await consumer.finish()
    }

    @Test func `when a bus is deallocated, its consumers are reported as ended, and still receive earlier messages`()
        async
    {
        let consumer = StoppedConsumer()
        let attachment: MonitorAttachment
        do {
            let bus = MessageBus<Int>()
            attachment = bus.attach(monitor)
            bus.add(consumer)
            bus.dispatch(1)
        }
        #expect(monitor.words == ["registered", "queued 1", "posted to 1", "ended"])
        await consumer.executor.finish { !monitor.deliveries.isEmpty }
        #expect(consumer.log.values == [1])
        withExtendedLifetime(attachment) {}
    }

    @Test func `messages dispatched before, during and after the attachment of a monitor are received in order`()
        async
    {
        let consumer = StoppedConsumer()
        bus.add(consumer)
        bus.dispatch(1)
        let attachment = bus.attach(monitor)
        bus.dispatch(2)
        attachment.detach()
        bus.dispatch(3)
        await consumer.take(3)
        #expect(consumer.log.values == [1, 2, 3])
        #expect(monitor.deliveries.isEmpty)
    }

    @Test func `promise 2, order: all consumers of a monitored bus receive the messages in the same order`()
        async
    {
        let consumers = [StoppedConsumer(), StoppedConsumer()]
        let attachment = bus.attach(monitor)
        for consumer in consumers { bus.add(consumer) }
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask { [bus] in for number in 0..<250 { bus.dispatch(thread * 1000 + number) } }
            }
        }
        for consumer in consumers { await consumer.take(1000) }
        #expect(consumers[0].log.values == consumers[1].log.values)
        for consumer in consumers { await consumer.finish() }
        withExtendedLifetime(attachment) {}
    }

    @Test func `a dispatch by a monitor is not reported, and does not recurse`() async {
        let (bus, consumer) = (bus, StoppedConsumer())
        let monitor = RecordingMonitor { event in
            if case .posted = event { bus.dispatch(2) }
        }
        bus.add(consumer)
        let attachment = bus.attach(monitor)
        bus.dispatch(1)
        await consumer.take(2)
        #expect(consumer.log.values == [1, 2])
        #expect(monitor.posts.count == 1)
        await consumer.finish()
        withExtendedLifetime(attachment) {}
    }

    @Test func `a context is carried from a dispatch to the consumer`() async {
        let consumer = ContextConsumer()
        let attachment = bus.attach(ContextMonitor())
        bus.add(consumer)
        Request.$number.withValue(7) { bus.dispatch(1) }
        await consumer.done.wait()
        #expect(consumer.log.values == [7])
        withExtendedLifetime(attachment) {}
    }

    @Test func `a bus does not keep a monitor alive, and a monitor does not keep a bus alive`() {
        weak var weakMonitor: RecordingMonitor?
        weak var weakBus: MessageBus<Int>?
        var attachment: MonitorAttachment?
        do {
            let (bus, monitor) = (MessageBus<Int>(), RecordingMonitor())
            (weakBus, weakMonitor) = (bus, monitor)
            attachment = bus.attach(monitor)
        }
        #expect(weakBus == nil)
        withExtendedLifetime(attachment) {}
        attachment = nil
        #expect(weakMonitor == nil)
    }
}

private enum Request {
    @TaskLocal static var number = 0
}

private final class ContextConsumer: MessageConsumer {
    let log = ReceivedValues<Int>()
    let done = Gate()

    func consume(_ message: Int) {
        log.append(Request.number)
        done.open()
    }
}

private struct ContextMonitor: ContextCarryingMonitor {
    func receive(_ event: NotificationEvent) {}
    func post(_ subject: NotificationSubject, from place: SourcePlace?, perform body: () -> Void) { body() }
    func context(for observer: ObserverDescription) -> Int { Request.number }

    func call(_ observer: ObserverDescription, in context: Int, perform body: () -> Void) {
        Request.$number.withValue(context, operation: body)
    }

    nonisolated(nonsending)
        func call(
            _ observer: ObserverDescription, in context: Int, perform body: nonisolated(nonsending) () async -> Void
        ) async
    {
        await Request.$number.withValue(context, operation: body)
    }
}
