import TestSupport
import Testing
import TidingsTesting

@testable import Tidings

private final class Counting: MessageConsumer {
    let received = ReceivedValues<Int>()
    func consume(_ message: Int) { received.append(message) }
}

/// The call with message 1 throws when the gate `go` is open.
private actor Failing: MessageConsumer {
    let begun = Gate()
    let go = Gate()
    let received = ReceivedValues<Int>()

    func consume(_ message: Int) async throws {
        guard message == 1 else { return received.append(message) }
        begun.open()
        await go.wait()
        throw CancellationError()
    }
}

@Suite(.timeLimit(.minutes(2))) struct LeavingConsumersTests {
    private let bus = MessageBus<Int>()

    @Test func `if consumers are removed during calls, their queues are released after many of these calls have ended`()
        async
    {
        var all: [Hanging] = []
        for _ in 0..<5 {
            let (begun, go) = ((0..<20).map { _ in Gate() }, Gate())
            let consumers = begun.map { Hanging($0, go) }
            all += consumers
            for consumer in consumers { bus.add(consumer) }
            bus.dispatch(1)
            for gate in begun { await gate.wait() }
            for consumer in consumers { bus.remove(consumer) }
            go.open()
            await eventually("the calls have ended") { [bus] in
                bus.state.withLock { $0.leaving.values.allSatisfy { !$0.isRunning } }
            }
        }
        // A cleanup keeps only the queues of running calls, which are at most 20 here. The next cleanup comes when the
        // bus would keep more than twice as many queues.
        #expect((20...40).contains(bus.state.withLock { $0.leaving.count }))
        withExtendedLifetime(all) {}
    }

    @Test func `if a call throws after its consumer was added again, the new subscription continues`() async {
        let consumer = Failing()
        bus.add(consumer, onFailure: .end)
        bus.dispatch(1)
        await consumer.begun.wait()
        bus.remove(consumer)
        bus.add(consumer)
        bus.dispatch(2)
        consumer.go.open()
        #expect(await bus.drain(within: .seconds(1), clock: ManualClock()).isEmpty)
        #expect(consumer.received.values == [2])
        #expect(bus.consumers.count == 1)
    }

    /// Whether a group waits until the only consumer has handled its queue.
    private var isAwaited: Bool {
        guard let queue = bus.state.withLock({ $0.subscribers.values.first?.mailbox }) else { return false }
        return queue.state.withLock { !$0.handling.isEmpty }
    }

    @Test func `a group that finishes also waits for a consumer that is added again during the wait`() async {
        let (group, consumer) = (ObserverGroup("orders"), Failing())
        group.add(consumer, to: bus)
        bus.dispatch(1)
        await consumer.begun.wait()
        let finish = Task { await group.finish(within: .seconds(60), clock: ManualClock()) }
        await eventually("the group waits") { isAwaited }
        // These are the two steps of `bus.remove(consumer)`. The second step, which ends the wait for the first queue,
        // comes after the consumer was added again.
        let removal = bus.state.withLock { $0.remove(ObjectIdentifier(consumer), addedWith: nil) }
        bus.add(consumer)
        for number in 2...3 { bus.dispatch(number) }
        if let (removed, cancellation, _) = removal { removed.mailbox.perform(cancellation) }
        await eventually("the group waits for the new queue") { isAwaited }
        consumer.go.open()
        #expect(await finish.value.isEmpty)
        #expect(consumer.received.values == [2, 3])
        #expect(bus.consumers.isEmpty)
    }

    @Test func `the queue of an earlier subscription outlives the step that adds the consumer again`() {
        // That step runs under the lock of the bus. Releasing a queue under the lock could run user code.
        let consumer = Counting()
        let key = ObjectIdentifier(consumer)
        var state = BusState<Int>()
        weak var queue: Mailbox<Int>?
        do {
            let mailbox = Mailbox<Int> { _ in }
            state.leaving[key] = mailbox
            queue = mailbox
        }
        let action = state.add(key) { previous in
            Subscriber(Mailbox<Int> { _ in }, ObserverOwner(consumer), .task, from: SourcePlace(), after: previous)
        }
        #expect(queue != nil)
        withExtendedLifetime(action) {}
    }

    @Test func `the queues of earlier subscriptions outlive the step that removes another consumer`() {
        let (consumer, other) = (Counting(), Counting())
        let key = ObjectIdentifier(consumer)
        var state = BusState<Int>()
        weak var queue: Mailbox<Int>?
        do {
            let mailbox = Mailbox<Int> { _ in }
            state.leaving[ObjectIdentifier(other)] = mailbox
            queue = mailbox
        }
        state.leavingLimit = 1
        let running = Mailbox<Int> { _ in }
        running.state.withLock { $0.isRunning = true }
        _ = state.add(key) { previous in
            Subscriber(running, ObserverOwner(consumer), .task, from: SourcePlace(), after: previous)
        }
        let action = state.remove(key, addedWith: nil)
        let leaving = Array(state.leaving.keys)
        #expect(queue != nil)
        #expect(leaving == [key])
        withExtendedLifetime(action) {}
        withExtendedLifetime(other) {}
    }

    @Test func `unfinished consumers are listed in the order of their names`() async {
        let (gates, go) = ([Gate(), Gate(), Gate()], Gate())
        let consumers = gates.map { Hanging($0, go) }
        for consumer in consumers { bus.add(consumer) }
        bus.dispatch(1)
        for gate in gates { await gate.wait() }
        let owners = bus.consumers.map { $0.owner ?? "" }
        #expect(owners.count == 3 && owners == owners.sorted())
        #expect(await bus.drain(within: .zero).map { $0.owner ?? "" } == owners)
        go.open()
        withExtendedLifetime(consumers) {}
    }

    @Test func `a dispatch through MessageProducer reaches consumers, and monitors receive it without a place`() async {
        let (consumer, monitor) = (Counting(), RecordingMonitor())
        bus.add(consumer)
        let producer: any MessageProducer<Int> = bus
        producer.dispatch(1)
        let attachment = bus.attach(monitor, interests: .posts)
        producer.dispatch(2)
        bus.dispatch(3)
        await consumer.received.wait(for: 3)
        #expect(consumer.received.values == [1, 2, 3])
        #expect(monitor.posts.map { $0.place == nil } == [true, false])
        #expect(monitor.posts.map(\.observers) == [1, 1])
        withExtendedLifetime(attachment) {}
    }

    @Test(arguments: [false, true])
    func `a monitor without interest in posts receives the end of a deallocated consumer`(isProducer: Bool) async {
        let monitor = RecordingMonitor()
        let producer: any MessageProducer<Int> = bus
        let attachment = bus.attach(monitor, interests: .observers)
        do {
            let gone = Counting()
            bus.add(gone)
            withExtendedLifetime(gone) {}
        }
        // The first dispatch detects that the consumer was deallocated, and a later dispatch reports the end.
        await eventually("the end is reported") {
            if monitor.words == ["registered", "ended"] { return true }
            if isProducer { producer.dispatch(1) } else { bus.dispatch(1) }
            return false
        }
        withExtendedLifetime(attachment) {}
    }
}
