import TestSupport
import Testing
import Tidings

private final class Consumer: MessageConsumer {
    private let (begun, gate) = (Gate(), Gate())

    func consume(_ message: Int) async {
        begun.open()
        await gate.wait()
    }

    func hasBegun() async { await begun.wait() }
    func goOn() { gate.open() }
}

@Suite(.timeLimit(.minutes(2))) struct ConsumersTests {
    @Test func `a bus lists its consumers with the lengths of their queues, and removes deallocated consumers`() async {
        let bus = MessageBus<Int>()
        #expect(bus.consumers.isEmpty)
        do {
            let consumer = Consumer()
            bus.add(consumer)
            let place = SourcePlace(line: #line - 1)
            for message in 0..<3 { bus.dispatch(message) }
            await consumer.hasBegun()
            #expect(bus.consumers.map(\.queued) == [2])
            #expect(bus.consumers.map(\.isRunning) == [true])
            #expect(bus.consumers.first?.owner?.contains("Consumer") == true)
            #expect(bus.consumers.map(\.place) == [place])
            consumer.goOn()
        }
        await eventually("no consumer is listed") { bus.consumers.isEmpty }
    }
}
