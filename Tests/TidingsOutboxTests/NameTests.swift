import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

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
}
