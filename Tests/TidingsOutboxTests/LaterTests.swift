import Foundation
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct LaterTests {
    private let recorder = RecordingNotificationCenter()
    private let store = InMemoryOutboxStore()
    private let clock = ManualClock()
    private let worker = Worker()
    private let start = Date()

    private func open(_ change: (inout OutboxOptions) -> Void = { _ in }) async throws
        -> NotificationOutbox<InMemoryOutboxStore>
    {
        var options = OutboxOptions.quick
        change(&options)
        return try await NotificationOutbox(store, of: recorder, options: options, clock: clock)
    }

    private func observe(_ outbox: NotificationOutbox<InMemoryOutboxStore>) {
        outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored) { me, note in
            try await me.handle(note)
        }
    }

    @Test func `a scheduled notification is received when it is due, as if it were posted then`()
        async throws
    {
        let outbox = try await open()
        observe(outbox)
        try outbox.post(Placed(number: 4), after: .seconds(20_000))
        try outbox.post(Placed(number: 2), after: .seconds(10))
        try outbox.post(Placed(number: 3), at: Date() + 1_000)
        try outbox.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        for (number, seconds) in [(2, 10), (3, 1_000), (4, 20_000)] {
            while await !worker.numbers.contains(number) { await clock.advanceForSleepers(by: .seconds(1)) }
            #expect(clock.now.offset >= .seconds(seconds))
            try outbox.post(Placed(number: 10 * number))
            await outbox.drain(within: .seconds(60))
            #expect(await worker.numbers.last == 10 * number)
        }
        #expect(await worker.numbers.filter { $0 < 10 } == [1, 2, 3, 4])
        // Observers of the center don't receive scheduled notifications.
        #expect(recorder.posted(Placed.self).map(\.number) == [1, 20, 30, 40])
        await outbox.finish(within: .zero)
    }

    @Test func `scheduled notifications are received on time even with a long poll interval`() async throws {
        let outbox = try await open { $0.pollInterval = .seconds(100_000) }
        observe(outbox)
        try outbox.post(Placed(number: 1), after: .seconds(30))
        try outbox.post(Placed(number: 2), after: .seconds(60))
        while await worker.attempts.count < 2 { await clock.advanceForSleepers(by: .seconds(1)) }
        #expect(clock.now.offset < .seconds(50_000))
        await outbox.finish(within: .zero)
    }

    @Test func `a scheduled notification can be cancelled by its identity until it is due`() async throws {
        let outbox = try await open()
        observe(outbox)
        let first = try outbox.post(Placed(number: 1), after: .seconds(5))
        let second = try outbox.post(Placed(number: 2), after: .seconds(5))
        #expect(first != second)
        #expect(try await outbox.cancel(first))
        #expect(try await !outbox.cancel(first))
        #expect(try await outbox.scheduledNotifications().map { outbox.id(of: $0.row) } == [second])
        while await worker.attempts.isEmpty { await clock.advanceForSleepers() }
        #expect(try await !outbox.cancel(second))
        for foreign in ["", "memory", "memory-", "memory-x", "other--1"] {
            #expect(try await !outbox.cancel(foreign))
        }
        #expect(await worker.numbers == [2])
        #expect(try await outbox.scheduledNotifications().isEmpty)
        await outbox.finish(within: .zero)
    }

    @Test func `a notification for a past time is due at once, and one for the far future is kept`() async throws {
        let outbox = try await open()
        observe(outbox)
        try outbox.post(Placed(number: 1), at: .distantPast)
        try outbox.post(Placed(number: 2), at: Date(timeIntervalSince1970: .nan))
        try outbox.post(Placed(number: 3), after: .seconds(-7))
        let far = [
            try outbox.post(Placed(number: 4), at: start + 366 * 86_400),
            try outbox.post(Placed(number: 5), at: Date(timeIntervalSince1970: .infinity)),
            try outbox.post(Placed(number: 6), after: .seconds(Int64.max)),
        ]
        while await worker.attempts.count < 3 { await clock.advanceForSleepers() }
        #expect(Set(await worker.numbers) == [1, 2, 3])
        #expect(try await outbox.scheduledNotifications().map { outbox.id(of: $0.row) } == far)
        // The age of a notification is counted from its due time, or from when it was stored if that is later.
        #expect(outbox.health().problems.isEmpty)
        await outbox.finish(within: .zero)
    }

    @Test func `observers receive a scheduled notification with the identity that its post returned`() async throws {
        let outbox = try await open()
        let ids = Lock<[String]>([])
        outbox.addObserver(worker, named: "worker", on: .actor, forStored: Placed.self, from: .stored) { me, stored in
            ids.withLock { $0.append(stored.id) }
            try await me.handle(stored)
        }
        let id = try outbox.post(Placed(number: 1), after: .seconds(1))
        while await worker.attempts.isEmpty { await clock.advanceForSleepers() }
        #expect(ids.withLock { $0 } == [id])
        await outbox.finish(within: .zero)
    }
}
