import TestSupport
import Testing
import TidingsTesting

@testable import Tidings

extension MessageBus {
    /// The number of consumers, including deallocated ones that the bus hasn't removed yet.
    fileprivate var consumerCount: Int { state.withLock { $0.subscribers.count } }
}

private enum AppMessage: Sendable, Equatable {
    case article(Int, ArticleEvent)
    case user(UserEvent)
    case number(Int)
}

private enum ArticleEvent: Sendable, Equatable { case opened, closed }

private enum UserEvent: Sendable, Equatable { case signedIn, signedOut }

extension AppMessage {
    static let bus = MessageBus<AppMessage>()
}

private final class ClassConsumer: MessageConsumer {
    let received = ReceivedValues<AppMessage>()

    func consume(_ message: AppMessage) { received.append(message) }
}

private final class SlowConsumer: MessageConsumer {
    let received = ReceivedValues<AppMessage>()
    let calls = ReceivedValues<Void>()
    let begun = Gate()
    let go = Gate()

    func consume(_ message: AppMessage) async {
        calls.append(())
        begun.open()
        await go.wait()
        received.append(message)
    }
}

@MainActor
private final class MainConsumer: MessageConsumer {
    private(set) var opened: [Int] = []
    let received = ReceivedValues<AppMessage>()

    func consume(_ message: AppMessage) {
        MainActor.assertIsolated()
        switch message {
        case .article(let id, .opened): opened.append(id)
        case .user(.signedOut): opened = []
        default: break
        }
        received.append(message)
    }
}

private actor ActorConsumer: MessageConsumer {
    private(set) var numbers: [Int] = []
    nonisolated let received = ReceivedValues<AppMessage>()

    func consume(_ message: AppMessage) {
        if case .number(let number) = message { numbers.append(number) }
        received.append(message)
    }

    func perform(_ body: @Sendable () -> Void) { body() }
}

private final class Relaying: MessageConsumer {
    let bus: MessageBus<AppMessage>

    init(to bus: MessageBus<AppMessage>) { self.bus = bus }

    func consume(_ message: AppMessage) {
        if case .number(let number) = message, number > 0 { bus.dispatch(.number(number - 1)) }
    }
}

private struct ArticleView {
    let messages: any MessageProducer<AppMessage>

    func open(_ id: Int) { messages.dispatch(.article(id, .opened)) }
}

@Suite(.timeLimit(.ofRandomPrograms)) struct MessageBusTests {
    private let bus = MessageBus<AppMessage>()

    @Test func `classes, main-actor classes and actors receive nested messages`() async {
        let (plain, actor, main) = (ClassConsumer(), ActorConsumer(), MainConsumer())
        bus.add(plain)
        bus.add(actor)
        bus.add(main)
        bus.dispatch(.article(1, .opened))
        bus.dispatch(.user(.signedOut))
        bus.dispatch(.article(2, .opened))
        bus.dispatch(.article(2, .closed))
        bus.dispatch(.number(3))
        for received in [plain.received, actor.received, main.received] { await received.wait(for: 5) }
        #expect(await main.opened == [2])
        #expect(await actor.numbers == [3])
        #expect(plain.received.values == main.received.values)
        #expect(plain.received.values == actor.received.values)
    }

    @Test func `a consumer that is added on the main actor handles its messages there`() async {
        let (plain, main) = (ClassConsumer(), MainConsumer())
        bus.add(plain, on: .main)
        bus.add(main, on: .main)
        bus.add(main)
        for number in 0..<1000 { bus.dispatch(.article(number, .opened)) }
        await main.received.wait(for: 1000)
        await plain.received.wait(for: 1000)
        #expect(await main.opened == Array(0..<1000))
        #expect(plain.received.values == main.received.values)
    }

    @Test func `a consumer that is added twice receives each message once`() async {
        let (consumer, last) = (ClassConsumer(), ClassConsumer())
        bus.add(consumer)
        bus.add(consumer)
        bus.add(last)
        bus.dispatch(.number(1))
        bus.dispatch(.number(2))
        await last.received.wait(for: 2)
        await consumer.received.wait(for: 2)
        #expect(consumer.received.values == [.number(1), .number(2)])
    }

    @Test func `a consumer that is added twice is not called concurrently`() async {
        let slow = SlowConsumer()
        bus.add(slow)
        bus.dispatch(.number(1))
        await slow.begun.wait()
        bus.add(slow)
        for number in 2...100 { bus.dispatch(.number(number)) }
        // If each `add` had created a queue, a second call would begin now.
        for _ in 0..<100 { await Task.yield() }
        #expect(slow.calls.count == 1)
        slow.go.open()
        await slow.received.wait(for: 100)
        #expect(slow.received.values == (1...100).map { .number($0) })
    }

    @Test func `a removed consumer receives nothing more, not even queued messages`() async {
        let slow = SlowConsumer()
        bus.add(slow)
        for number in 0..<10 { bus.dispatch(.number(number)) }
        await slow.begun.wait()
        bus.remove(slow)
        bus.dispatch(.number(10))
        slow.go.open()
        await slow.received.wait(for: 1)
        let other = ClassConsumer()
        bus.add(other)
        bus.dispatch(.number(11))
        await other.received.wait(for: 1)
        #expect(slow.received.values == [.number(0)])
        bus.remove(slow)
    }

    @Test func `a removed consumer can be added again`() async {
        let consumer = ClassConsumer()
        bus.add(consumer)
        bus.remove(consumer)
        bus.dispatch(.number(1))
        bus.add(consumer)
        bus.dispatch(.number(2))
        await consumer.received.wait(for: 1)
        #expect(consumer.received.values == [.number(2)])
    }

    @Test func `a bus keeps no consumer alive`() async {
        weak var consumer: ClassConsumer?
        do {
            let object = ClassConsumer()
            consumer = object
            bus.add(object)
            bus.dispatch(.number(1))
            await object.received.wait(for: 1)
        }
        // The task that delivered the message may still hold the consumer.
        await eventually("the consumer is released") { consumer == nil }
        for number in 0..<3 { bus.dispatch(.number(number)) }
    }

    @Test func `deallocated consumers don't accumulate in a bus`() async {
        for _ in 0..<10_000 { bus.add(ClassConsumer()) }
        let last = ClassConsumer()
        bus.add(last)
        bus.dispatch(.number(1))
        bus.dispatch(.number(2))
        await last.received.wait(for: 2)
        #expect(bus.consumerCount == 1)
    }

    @Test func `adding a consumer removes deallocated consumers, even without a dispatch`() {
        // All consumers are created before any is released, so that none reuses the address of another.
        let later = (0..<1000).map { _ in ClassConsumer() }
        var earlier = (0..<1000).map { _ in ClassConsumer() }
        for consumer in earlier { bus.add(consumer) }
        #expect(bus.consumerCount == 1000)
        earlier = []
        for consumer in later { bus.add(consumer) }
        #expect(bus.consumerCount == 1000)
    }

    @Test func `dispatching messages removes deallocated consumers`() {
        var kept = (0..<100).map { _ in ClassConsumer() }
        for consumer in kept { bus.add(consumer) }
        #expect(bus.consumerCount == 100)
        kept = []
        for number in 0..<2 { bus.dispatch(.number(number)) }
        #expect(bus.consumerCount == 0)
    }

    @Test func `other code can use a consumer's actor while the consumer handles a long backlog`() async {
        let (actor, counts, count) = (ActorConsumer(), ReceivedValues<Int>(), repetitions(100_000))
        bus.add(actor)
        await actor.perform { [bus] in for number in 0..<count { bus.dispatch(.number(number)) } }
        await actor.received.wait(for: 1)
        counts.append(await actor.numbers.count)
        await actor.received.wait(for: count)
        #expect(counts.values[0] < count)
    }

    @Test func `promise 2, order: messages arrive in the order dispatched`() async {
        let (plain, actor, main) = (ClassConsumer(), ActorConsumer(), MainConsumer())
        bus.add(plain)
        bus.add(actor)
        bus.add(main)
        let count = repetitions(100_000)
        for number in 0..<count { bus.dispatch(.number(number)) }
        for received in [plain.received, actor.received, main.received] {
            await received.wait(for: count)
            #expect(received.values == (0..<count).map { .number($0) })
        }
    }

    @Test func `promise 2, order: all consumers receive the same order, whichever threads dispatch`() async {
        let consumers = (0..<3).map { _ in ClassConsumer() }
        for consumer in consumers { bus.add(consumer) }
        let bus = bus
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask { for number in 0..<2500 { bus.dispatch(.article(task * 2500 + number, .opened)) } }
            }
        }
        for consumer in consumers { await consumer.received.wait(for: 10_000) }
        #expect(consumers[0].received.values == consumers[1].received.values)
        #expect(consumers[0].received.values == consumers[2].received.values)
    }

    @Test func `promise 4, re-entrancy: a consumer may dispatch`() async {
        let (relaying, consumer) = (Relaying(to: bus), ClassConsumer())
        bus.add(relaying)
        bus.add(consumer)
        bus.dispatch(.number(100))
        await consumer.received.wait(for: 101)
        #expect(consumer.received.values == (0...100).reversed().map { .number($0) })
        bus.remove(relaying)
    }

    @Test func `promise 11, independence: a slow consumer delays neither other consumers nor the dispatch`() async {
        let (slow, quick) = (SlowConsumer(), ClassConsumer())
        bus.add(slow)
        bus.add(quick)
        for number in 0..<1000 { bus.dispatch(.number(number)) }
        await quick.received.wait(for: 1000)
        #expect(slow.received.count == 0)
        slow.go.open()
        await slow.received.wait(for: 1000)
        #expect(slow.received.values == quick.received.values)
    }

    @Test func `messages dispatched before a bus is deallocated still arrive`() async {
        let consumer = ClassConsumer()
        do {
            let bus = MessageBus<AppMessage>()
            bus.add(consumer)
            for number in 0..<1000 { bus.dispatch(.number(number)) }
        }
        await consumer.received.wait(for: 1000)
    }

    @Test func `code that dispatches messages can use any message producer instead of a bus`() {
        let producer = RecordingMessageProducer<AppMessage>()
        ArticleView(messages: producer).open(7)
        #expect(producer.dispatched == [.article(7, .opened)])
        ArticleView(messages: bus).open(8)
    }

    @Test func `a bus for a whole app can be declared in one line`() async {
        let consumer = ClassConsumer()
        AppMessage.bus.add(consumer)
        AppMessage.bus.dispatch(.number(1))
        await consumer.received.wait(for: 1)
        #expect(consumer.received.values == [.number(1)])
        AppMessage.bus.remove(consumer)
    }
}
