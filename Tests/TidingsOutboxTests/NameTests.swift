import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsOutbox

private struct Named: RemoteNotification {
    @TaskLocal static var name = "test.named"
    static var wireName: String { name }
    var number = 0
}

@Suite(.timeLimit(.minutes(2))) struct NameTests {
    private static let bad = [
        "", "a\"b,c'); DROP TABLE x;--", "ü", "a b", "a\0b", "a\nb", String(repeating: "x", count: 300),
    ]

    @Test(arguments: bad + [".a", "a.", "a..b"])
    func `posting a type with an unusable name throws an error`(name: String) async throws {
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: NativeNotificationCenter())
        Named.$name.withValue(name) {
            #expect { try outbox.post(Named()) } throws: { ($0 as? OutboxError)?.code == .invalidName }
        }
        try outbox.post(Named())
        try Named.$name.withValue("null") { try outbox.post(Named()) }
        await outbox.finish(within: .seconds(600))
    }

    @Test(arguments: bad)
    func `an observer with an unusable name is reported as a fault and ends at once`(name: String) async throws {
        let recorder = RecordingNotificationCenter()
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: recorder)
        let token = outbox.addObserver(named: name, on: .task, for: Placed.self) { _ in }
        #expect(Faults(recorder).kinds == [.invalidName])
        #expect(outbox.runningObservers.isEmpty && !token.observation.isActive)
        await outbox.finish(within: .seconds(600))
    }

    @Test func `faults report an observer whose type has an unusable name, and a second observer with a name in use`()
        async throws
    {
        let recorder = RecordingNotificationCenter()
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: recorder)
        let (worker, other) = (Worker(), Worker())
        Named.$name.withValue("ü") {
            _ = outbox.addObserver(named: "named", on: .task, for: Named.self) { _ in }
        }
        #expect(Faults(recorder).kinds == [.invalidName])
        for worker in [worker, other] {
            outbox.addObserver(worker, named: "null", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
        }
        #expect(Faults(recorder).kinds == [.invalidName, .invalidName])
        try outbox.post(Placed(number: 1))
        await outbox.finish(within: .seconds(600))
        #expect(await worker.numbers == [1])
        #expect(await other.numbers.isEmpty)
    }

    @Test func `an observer added while another of the same name is cancelled runs all partitions`() async throws {
        let center = NativeNotificationCenter()
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: center, options: .quick)
        let (worker, successor) = (Worker(), Worker())
        let observe: @Sendable (Worker) -> NotificationToken = { worker in
            outbox.addObserver(
                worker, named: "worker", on: .actor, for: Placed.self, ordered: .by(\.customer, partitions: 2)
            ) { me, note in try await me.handle(note) }
        }
        let token = observe(worker)
        await eventually("both partitions run", { outbox.runningObservers.first?.partitions }, until: { $0 == 2 })
        // The monitor adds the observer when the first partition's observation has ended, but not the second's.
        let isAdded = Lock(false)
        let monitor = RecordingMonitor { event in
            guard case .ended = event else { return }
            let wasAdded = isAdded.withLock { isAdded in
                defer { isAdded = true }
                return isAdded
            }
            if !wasAdded { _ = observe(successor) }
        }
        let attachment = center.attach(monitor)
        token.cancel()
        attachment.detach()
        #expect(outbox.core.runners.filter { $0.consumer.isActive() }.count == 2)
        let customer = try #require((0..<100).map(String.init).first { Partitions.index(of: $0, among: 2) == 1 })
        try outbox.post(Placed(number: 1, customer: customer))
        await eventually(
            "the later observer handles the notification", { await successor.numbers }, until: { $0 == [1] })
        await outbox.finish(within: .seconds(600))
        withExtendedLifetime(worker) {}
    }
}
