import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Refused: Error {}

private actor Taker: MessageConsumer {
    nonisolated let log = ReceivedValues<Int>()
    private let gate: Gate?
    private let refuses: Bool

    init(waitingFor gate: Gate? = nil, refuses: Bool = false) {
        self.gate = gate
        self.refuses = refuses
    }

    func consume(_ message: Int) async throws {
        await gate?.wait()
        log.append(message)
        if refuses { throw Refused() }
    }
}

@Suite(.timeLimit(.minutes(2))) struct BusFinishingTests {
    private let bus = MessageBus<Int>()
    private let clock = ManualClock()

    @Test func `when a bus finishes, it handles the dispatched messages and accepts no more`() async {
        let (taker, monitor) = (Taker(), RecordingMonitor())
        bus.add(taker)
        for message in 1...100 { bus.dispatch(message) }
        #expect(await bus.finish(within: .seconds(5), clock: clock).isEmpty)
        #expect(taker.log.values == Array(1...100))
        bus.dispatch(101)
        let attachment = bus.attach(monitor)
        bus.dispatch(102)
        #expect(monitor.words == ["posted to 0"])
        #expect(await bus.drain(within: .seconds(5), clock: clock).isEmpty)
        #expect(taker.log.count == 100)
        attachment.detach()
    }

    @Test func `a bus that is drained continues to accept messages`() async {
        let taker = Taker()
        bus.add(taker)
        for message in 1...2 {
            bus.dispatch(message)
            #expect(await bus.drain(within: .seconds(5), clock: clock).isEmpty)
            #expect(taker.log.count == message)
        }
    }

    @Test func `when the time limit passes, the bus returns the consumers that have not finished`() async {
        let go = Gate()
        let (slow, quick) = (Taker(waitingFor: go), Taker())
        bus.add(slow, line: 7)
        bus.add(quick)
        for message in 1...3 { bus.dispatch(message) }
        let end = Task { [bus, clock] in await bus.finish(within: .seconds(5), clock: clock) }
        await clock.waitForSleepers()
        await quick.log.wait(for: 3)
        bus.remove(quick)
        clock.advance(by: .seconds(5))
        let left = await end.value
        #expect(left.map(\.place.line) == [7])
        #expect(left.first?.isRunning == true)
        go.open()
        await slow.log.wait(for: 3)
    }

    @Test func `when a consumer throws, the bus can call a closure or remove the consumer`() async {
        let errors = ReceivedValues<Bool>()
        let (told, removed) = (Taker(refuses: true), Taker(refuses: true))
        bus.add(told, onFailure: .call { errors.append($0 is Refused) })
        bus.add(removed, onFailure: .end)
        bus.dispatch(1)
        await bus.drain(within: .seconds(5), clock: clock)
        bus.dispatch(2)
        await bus.drain(within: .seconds(5), clock: clock)
        #expect(errors.values == [true, true])
        #expect(told.log.values == [1, 2])
        #expect(removed.log.values == [1])
        #expect(bus.consumers.count == 1)
    }

    @MainActor
    @Test func `a consumer on the main actor may throw`() async {
        let (badge, errors) = (Badge(), ReceivedValues<Bool>())
        bus.add(badge, on: .main, onFailure: .call { errors.append($0 is Refused) })
        bus.dispatch(1)
        await bus.drain(within: .seconds(5), clock: clock)
        #expect(errors.values == [true])
    }
}

@MainActor
private final class Badge: MessageConsumer {
    func consume(_ message: Int) throws { throw Refused() }
}
