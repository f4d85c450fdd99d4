import TestSupport
import Testing
import Tidings
import TidingsFoundation
import TidingsTesting

private struct Ping: TypedNotification {}
private struct Refused: Error {}

private final class ManualQueue: DeliveryQueue {
    private let turns = Lock<[@Sendable () -> Bool]>([])

    func takeTurns(_ turn: @escaping @Sendable () -> Bool) { turns.withLock { $0.append(turn) } }

    func run() {
        while let turn = turns.withLock({ $0.popLast() }) { while turn() {} }
    }
}

private struct Carrier: ContextCarryingMonitor {
    @TaskLocal static var words: [String] = []

    let name: String
    /// The words of the context in which each call and each failure was reported.
    let told = ReceivedValues<[String]>()

    func receive(_ event: NotificationEvent) {
        switch event {
        case .delivered, .failed: told.append(Self.words)
        default: break
        }
    }

    func post(_ subject: NotificationSubject, from place: SourcePlace?, perform body: () -> Void) {
        Self.$words.withValue(Self.words + ["post \(name)"], operation: body)
    }

    func context(for observer: ObserverDescription) -> String {
        "call \(name) after \(Self.words.joined(separator: ", "))"
    }

    func call(_ observer: ObserverDescription, in context: String, perform body: () -> Void) {
        Self.$words.withValue(Self.words + [context], operation: body)
    }

    nonisolated(nonsending)
        func call(
            _ observer: ObserverDescription, in context: String, perform body: nonisolated(nonsending) () async -> Void
        ) async
    { await Self.$words.withValue(Self.words + [context], operation: body) }
}

@Suite(.timeLimit(.minutes(2))) struct QueuedCallTests {
    private let center = NativeNotificationCenter()
    private let queue = ManualQueue()
    private let monitor = RecordingMonitor()
    private let clock = ManualClock()

    @Test func `a call runs in the contexts of all monitors, with the first monitor's context outermost`() async {
        let (called, center) = (ReceivedValues<[String]>(), center)
        let attachments = [
            center.attach(Carrier(name: "a")), center.attach(monitor), center.attach(Carrier(name: "b")),
        ]
        let tokens = [
            center.addObserver(for: Numbered.self) { _ in called.append(Carrier.words) },
            center.addObserver(on: .queue(queue), for: Numbered.self) { _ in called.append(Carrier.words) },
            center.addObserver(on: .task, for: Numbered.self) { _ in called.append(Carrier.words) },
        ]
        center.post(Numbered(number: 1))
        #expect(called.values.first == ["post a", "post b"])
        await called.wait(for: 2)
        queue.run()
        let carried = ["call a after post a, post b", "call b after post a, post b"]
        #expect(called.values.dropFirst() == [carried, carried])
        withExtendedLifetime((attachments, tokens)) {}
    }

    @Test func `a call and its error are reported in the context of the call`() {
        let carrier = Carrier(name: "a")
        let attachment = center.attach(carrier)
        let token = center.addObserver(on: .queue(queue), for: Numbered.self) { note in
            if note.number == 2 { throw Refused() }
        }
        for number in 1...2 { center.post(Numbered(number: number)) }
        #expect(carrier.told.values.isEmpty)
        queue.run()
        // The second call is reported twice, once for its error and once for its end.
        #expect(carrier.told.values == Array(repeating: ["call a after post a"], count: 3))
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `a call is reported with its waiting time, its duration and the length of the queue`() {
        let clock = clock
        let attachment = center.attach(monitor, clock: clock)
        let token = center.addObserver(on: .queue(queue), for: Numbered.self) { note in
            clock.advance(by: .seconds(note.number))
        }
        center.post(Numbered(number: 1))
        clock.advance(by: .seconds(10))
        center.post(Numbered(number: 2))
        queue.run()
        #expect(monitor.deliveries.map(\.waited) == [.seconds(10), .seconds(1)])
        #expect(monitor.deliveries.map(\.duration) == [.seconds(1), .seconds(2)])
        #expect(monitor.deliveries.map(\.waiting) == [1, 0])
        #expect(
            monitor.words.dropFirst() == [
                "queued 1", "posted to 1", "queued 2", "posted to 1", "delivered on a queue", "delivered on a queue",
            ])
        withExtendedLifetime((attachment, token)) {}
    }

    @Test(arguments: [true, false])
    func `an error is reported with the identity of its delivery, or with nil if no monitor receives deliveries`(
        receivesCalls: Bool
    ) {
        let attachment = center.attach(monitor, interests: receivesCalls ? [.deliveries, .failures] : .failures)
        let token = center.addObserver(on: .queue(queue), for: Numbered.self) { _ in throw Refused() }
        center.post(Numbered(number: 1))
        queue.run()
        #expect(monitor.failures.count == 1 && monitor.deliveries.count == (receivesCalls ? 1 : 0))
        #expect(monitor.failures.first?.error is Refused)
        #expect(monitor.failures.first?.observer?.delivery == .queue)
        #expect(monitor.failures.first?.delivery == monitor.deliveries.first?.id)
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `a notification that was queued before the monitor was attached is reported without a waiting time`() {
        let token = center.addObserver(on: .queue(queue), for: Numbered.self) { note in
            if note.number == 1 { throw Refused() }
        }
        for number in 0...1 { center.post(Numbered(number: number)) }
        let attachment = center.attach(monitor, clock: clock)
        queue.run()
        #expect(monitor.deliveries.map(\.waited) == [nil, nil])
        #expect(monitor.deliveries.map(\.duration) == [.zero, .zero])
        #expect(monitor.failures.count == 1)
        withExtendedLifetime((attachment, token)) {}
    }

    @Test(arguments: [true, false])
    func `a notification that is queued when the monitor is detached is handled, and not reported`(isManual: Bool) {
        let received = ReceivedValues<Int>()
        let token = center.addObserver(on: .queue(queue), for: Numbered.self) { received.append($0.number) }
        let attachment = isManual ? center.attach(monitor, clock: clock) : center.attach(monitor)
        for number in 0..<2 { center.post(Numbered(number: number)) }
        attachment.detach()
        queue.run()
        #expect(received.values == [0, 1])
        #expect(monitor.deliveries.isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test func `calls and errors that a monitor's post causes are not reported, nor are posts in these calls`() {
        let (center, received) = (center, ReceivedValues<Int>())
        let token = center.addObserver(on: .queue(queue), for: Numbered.self) { note in
            center.post(Ping())
            received.append(note.number)
            throw Refused()
        }
        let monitor = RecordingMonitor { event in
            if case .posted = event, received.count == 0 { center.post(Numbered(number: 1)) }
        }
        let attachment = center.attach(monitor)
        center.post(Ping())
        queue.run()
        #expect(received.values == [1])
        #expect(monitor.words == ["posted to 0"])
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `the receipt of deliver contains the error of a call on a queue, with and without a monitor`() async {
        for isMonitored in [true, false] {
            let attachment = isMonitored ? center.attach(monitor) : nil
            let token = center.addObserver(on: .queue(queue), for: Numbered.self) { note in
                if note.number == 1 { throw Refused() }
            }
            for number in 0...1 {
                let receipt = Task { [center] in await center.deliver(Numbered(number: number)) }
                await eventually("the notification is queued") { center.observations.first?.queued == 1 }
                queue.run()
                #expect(await receipt.value.asynchronousCalls == 1)
                #expect(await receipt.value.failures.map { $0.error is Refused } == (number == 1 ? [true] : []))
            }
            withExtendedLifetime((attachment, token)) {}
        }
        #expect(monitor.failures.count == 1 && monitor.deliveries.count == 2)
    }
}
