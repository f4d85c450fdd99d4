import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Refused: Error, Equatable {
    let number: Int
}

private struct First: TypedNotification {}

@MainActor
private final class Screen {
    func show(_ number: Int) throws { throw Refused(number: number) }
}

@Suite(.timeLimit(.minutes(2))) struct FailureTests {
    private let center = NativeNotificationCenter()
    private let tokens = Tokens()

    @MainActor
    @Test func `the receipt contains an error with the observer and its place, and the observation continues`()
        async throws
    {
        let (ledger, screen) = (Ledger(), Screen())
        let line: UInt = #line + 1
        let token = center.addObserver(ledger, on: .actor, for: Numbered.self) { me, note in
            await Task.yield()
            me.add(note.number)
            if note.number == 1 { throw Refused(number: 1) }
        }
        center.addObserver(screen, on: .main, for: Numbered.self, line: 2) { me, note in try me.show(note.number) }
        tokens.append(center.addObserver(on: .task, for: Numbered.self, line: 3) { throw Refused(number: $0.number) })
        tokens.append(center.addObserver(on: .task, for: Numbered.self) { _ in await Task.yield() })
        let receipt = await center.deliver(Numbered(number: 1))
        #expect(receipt.asynchronousCalls == 4)
        #expect(receipt.isComplete && receipt.unfinished.isEmpty)
        #expect(receipt.failures.map { $0.error as? Refused } == Array(repeating: Refused(number: 1), count: 3))
        #expect(Set(receipt.failures.map(\.place.line)) == [line, 2, 3])
        let failure = try #require(receipt.failures.first { $0.place.line == line })
        #expect(failure.observer.subject.type == Numbered.self)
        #expect(failure.observer.delivery == .actor)
        #expect(
            failure.description.hasPrefix("an observer threw Refused(number: 1): TestSupport.Numbered, in an actor"))
        #expect(failure.place == SourcePlace(line: line))
        #expect(token.isActive && tokens.all.allSatisfy(\.isActive))
        let second = await center.deliver(Numbered(number: 2))
        #expect(second.asynchronousCalls == 4 && second.failures.count == 2)
        #expect(await ledger.numbers == [1, 2])
    }

    @Test func `the receipt contains errors of observers that received posts of other observers`() async {
        tokens.append(
            center.addObserver(on: .task, for: First.self) { [center] _ in
                let inner = await center.deliver(Numbered(number: 1))
                #expect(inner.failures.map { $0.error as? Refused } == [Refused(number: 1)])
                center.post(Numbered(number: 2))
            })
        tokens.append(center.addObserver(on: .task, for: Numbered.self) { throw Refused(number: $0.number) })
        let receipt = await center.deliver(First())
        #expect(receipt.failures.map { $0.error as? Refused } == [Refused(number: 1), Refused(number: 2)])
    }

    @Test func `the receipt of a delivery through a recording center contains an observer's error`() async {
        let recorder = RecordingNotificationCenter(forwardingTo: center)
        tokens.append(recorder.addObserver(on: .task, for: Numbered.self) { throw Refused(number: $0.number) })
        let receipt = await recorder.deliver(Numbered(number: 1))
        #expect(receipt.failures.map { $0.error as? Refused } == [Refused(number: 1)])
    }

    @Test func `receipts with the same failures are equal`() async {
        tokens.append(center.addObserver(on: .task, for: Numbered.self) { throw Refused(number: $0.number) })
        let receipts = [
            await center.deliver(Numbered(number: 1)), await center.deliver(Numbered(number: 1)),
            await center.deliver(Numbered(number: 2)),
        ]
        #expect(receipts[0] == receipts[1] && receipts[0] != receipts[2])
        #expect(Set(receipts).count == 2)
    }

    @Test func `monitors receive the error of a call, whether or not a delivery waits for the call`() async {
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        tokens.append(center.addObserver(on: .task, for: Numbered.self) { throw Refused(number: $0.number) })
        await center.deliver(Numbered(number: 1))
        #expect(
            monitor.words.filter { $0 != "posted to 1" } == [
                "registered", "queued 1", "failed: observer threw", "delivered in a task",
            ])
        #expect(monitor.failures.first?.error as? Refused == Refused(number: 1))
        #expect(monitor.failures.first?.observer == monitor.deliveries.first?.observer)
        #expect(monitor.failures.first?.notification == "TestSupport.Numbered")
        center.post(Numbered(number: 2))
        await monitor.events.wait(for: 9)
        #expect(monitor.failures.map { $0.error as? Refused } == [Refused(number: 1), Refused(number: 2)])
        attachment.detach()
    }

    @Test func `a monitor receives an error of a notification that was queued before the monitor was attached`() async {
        let (begun, go, monitor) = (Gate(), Gate(), RecordingMonitor())
        let token = center.addObserver(on: .task, for: Numbered.self) { note in
            begun.open()
            await go.wait()
            throw Refused(number: note.number)
        }
        center.post(Numbered(number: 1))
        await begun.wait()
        let attachment = center.attach(monitor)
        go.open()
        await monitor.events.wait(for: 1)
        #expect(monitor.words == ["failed: observer threw"])
        await token.cancelAndDrain()
        attachment.detach()
    }

    @Test func `the closure for errors is called where the observer runs, before the delivery has ended`() async {
        let (ledger, errors) = (Ledger(), ReceivedValues<Refused?>())
        center.addObserver(
            ledger, on: .actor, for: Numbered.self,
            onFailure: .call { [weak ledger] error in
                ledger?.assertIsolated()
                errors.append(error as? Refused)
            }
        ) { _, note in throw Refused(number: note.number) }
        let receipt = await center.deliver(Numbered(number: 1))
        #expect(errors.values == [Refused(number: 1)])
        #expect(receipt.failures.count == 1)
    }

    @MainActor
    @Test func `an error can end the observation and discard its queue`() async {
        let (ledger, screen, log) = (Ledger(), Screen(), ReceivedValues<Int>())
        let all = [
            center.addObserver(ledger, on: .actor, for: Numbered.self, onFailure: .end) { _, note in
                log.append(note.number)
                throw Refused(number: 0)
            },
            center.addObserver(screen, on: .main, for: Numbered.self, onFailure: .end) { me, note in
                log.append(note.number)
                try me.show(note.number)
            },
            center.addObserver(on: .task, for: Numbered.self, onFailure: .end) { note in
                log.append(note.number)
                throw Refused(number: 0)
            },
        ]
        // The test runs on the main actor, so the main actor's observer isn't called between the posts.
        center.post(Numbered(number: 1))
        await center.deliver(Numbered(number: 2))
        #expect(log.values == [1, 1, 1])
        #expect(all.map(\.isActive) == [false, false, false])
        #expect(center.post(Numbered(number: 3)) == 0)
    }

    @Test func `promise 6, lifetime: captures of the closure for errors are released with the observer`() async {
        weak let first: Captured?
        weak let second: Captured?
        do {
            let (one, two) = (Captured(), Captured())
            (first, second) = (one, two)
            let token = center.addObserver(on: .task, for: Numbered.self, onFailure: .call { _ in one.touch() }) { _ in
            }
            center.post(Numbered(number: 1))
            await token.cancelAndDrain()
            let ending = center.addObserver(on: .task, for: Numbered.self, onFailure: .end) { _ in two.touch() }
            ending.cancel()
        }
        #expect(first == nil && second == nil)
    }

    @Test func `a bus consumer that throws receives the next message, and monitors receive the error`() async {
        let (bus, consumer, monitor) = (MessageBus<Int>(), Refusing(), RecordingMonitor())
        bus.add(consumer)
        bus.dispatch(0)
        await bus.drain(within: .seconds(1_000))
        let attachment = bus.attach(monitor)
        bus.dispatch(1)
        bus.dispatch(2)
        await consumer.log.wait(for: 3)
        #expect(consumer.log.values == [0, 1, 2])
        await eventually("two deliveries are reported", { monitor.deliveries.count }, until: { $0 >= 2 })
        #expect(monitor.failures.map { $0.error as? Refused } == [Refused(number: 1), Refused(number: 2)])
        #expect(monitor.failures.first?.observer?.subject.type == Int.self)
        attachment.detach()
    }
}

private actor Refusing: MessageConsumer {
    nonisolated let log = ReceivedValues<Int>()

    func consume(_ message: Int) async throws {
        log.append(message)
        await Task.yield()
        throw Refused(number: message)
    }
}
