import TestSupport
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

@Suite(.timeLimit(.ofServers), .serialized) struct DropTests {
    private let recorder = RecordingNotificationCenter()
    private let worker = Worker()

    private func observe(
        _ outbox: NotificationOutbox<some OutboxStore>, retrying delays: [Duration],
        ordered order: DurableOrder<Placed> = .strict
    ) {
        outbox.addObserver(
            worker, named: "worker", on: .actor, for: Placed.self, ordered: order, from: .stored,
            retrying: RetryPolicy(delays)
        ) { me, note in
            try await me.handle(note)
        }
    }

    private func failed(_ outbox: NotificationOutbox<some OutboxStore>) async throws -> Int64? {
        try await eventually(
            "the failure is saved", { try await outbox.waitingNotifications(for: "worker").first?.attempts },
            until: { $0 == 1 })
        return try await outbox.waitingNotifications(for: "worker").first?.row.position
    }

    private func expectNothingLeft(_ outbox: NotificationOutbox<some OutboxStore>) async throws {
        #expect(await outbox.drain(within: .seconds(600)) == [])
        #expect(try await outbox.deadLetters(for: "worker").isEmpty)
        try await eventually(
            "nothing is stored for the observer",
            { try await outbox.registeredObservers().map { [$0.held, $0.deadLetters, $0.backlog] } },
            until: { $0 == [[0, 0, 0]] })
    }

    @Test(arguments: TestedStore.all, [true, false])
    func `any program can drop a notification that is retried, and the next one is delivered`(
        kind: TestedStore, isHere: Bool
    ) async throws {
        func test(_ database: some TestedDatabase) async throws {
            let outbox = try await database.open(recorder, isSecond: false)
            let other = try await database.open(NativeNotificationCenter(), isSecond: true)
            observe(outbox, retrying: [.seconds(1_000_000)])
            await worker.fail(1, times: .max)
            try await database.post([Placed(number: 1), Placed(number: 2)], in: outbox)
            let position = try #require(try await failed(outbox))
            #expect(try await (isHere ? outbox : other).drop(for: "worker", positions: [position]) == 1)
            await worker.waitForAttempts(2)
            #expect(await worker.attempts == [1, 2])
            #expect(await worker.numbers == [2])
            try await expectNothingLeft(outbox)
            await outbox.finish(within: .zero)
            await other.finish(within: .zero)
        }
        try await test(kind.create())
    }

    @Test(arguments: TestedStore.all, [(1, true), (1, false), (2, true), (2, false)])
    func `a notification that is dropped during a call isn't delivered again and doesn't become a dead letter`(
        kind: TestedStore, retries: (count: Int, isHere: Bool)
    ) async throws {
        func test(_ database: some TestedDatabase) async throws {
            let outbox = try await database.open(recorder, isSecond: false)
            let other = try await database.open(NativeNotificationCenter(), isSecond: true)
            // With one retry, the running call is the last one.
            observe(outbox, retrying: Array(repeating: .milliseconds(1), count: retries.count))
            await worker.fail(1, times: .max)
            await worker.hold(from: 2)
            try await database.post([Placed(number: 1), Placed(number: 2)], in: outbox)
            await worker.waitForAttempts(2)
            let position = try #require(try await failed(outbox))
            #expect(try await (retries.isHere ? outbox : other).drop(for: "worker", positions: [position]) == 1)
            await worker.letGo()
            await worker.waitForAttempts(3)
            try await database.post([Placed(number: 3)], in: outbox)
            await worker.waitForAttempts(4)
            #expect(await worker.attempts == [1, 1, 2, 3])
            try await expectNothingLeft(outbox)
            #expect(outbox.runningObservers.map { [$0.deadLetters, $0.failures] } == [[0, 2]])
            #expect(Faults(recorder).kinds == [.observerFailed, .observerFailed])
            await outbox.finish(within: .zero)
            await other.finish(within: .zero)
        }
        try await test(kind.create())
    }

    @Test(arguments: TestedStore.all)
    func `an inspector can drop a notification that waits behind a retried one`(
        kind: TestedStore
    ) async throws {
        func test(_ database: some TestedDatabase) async throws {
            let outbox = try await database.open(recorder, isSecond: false)
            observe(outbox, retrying: [.seconds(1_000_000)], ordered: .by(\.customer))
            await worker.fail(1, times: .max)
            try await database.post(
                [Placed(number: 1), Placed(number: 2), Placed(number: 3, customer: "b")], in: outbox)
            try await eventually(
                "one notification is retried, and one waits behind it",
                { try await outbox.storedNotifications(limit: 10).entries.filter(\.isHeld).map(\.attempts) },
                until: { $0 == [1, 0] })
            for entry in try await outbox.storedNotifications(limit: 10).entries.filter(\.isHeld).reversed() {
                #expect(try await outbox.perform(.drop, on: entry.kind, of: entry.observer, id: entry.id) == 1)
            }
            try await database.post([Placed(number: 4)], in: outbox)
            await worker.waitForAttempts(3)
            #expect(await worker.numbers == [3, 4])
            try await expectNothingLeft(outbox)
            await outbox.finish(within: .zero)
        }
        try await test(kind.create())
    }
}
