import TestSupport
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct StoredDeliveryTests {
    private let store = InMemoryOutboxStore()
    private let workers = (Worker(), Worker())

    private func open() async throws -> NotificationOutbox<InMemoryOutboxStore> {
        try await NotificationOutbox(store, of: NativeNotificationCenter(), options: .quick)
    }

    @discardableResult
    private func observe(
        _ outbox: NotificationOutbox<InMemoryOutboxStore>, _ worker: Worker, _ name: String,
        retrying delays: RetryPolicy = RetryPolicy([.milliseconds(1)]), ordered order: DurableOrder<Placed> = .strict
    ) -> NotificationToken {
        outbox.addObserver(worker, named: name, on: .actor, for: Placed.self, ordered: order, retrying: delays) {
            me, note in try await me.handle(note)
        }
    }

    @Test func `a receipt waits for each durable observer of the type and for no other`() async throws {
        let outbox = try await open()
        observe(outbox, workers.0, "one")
        observe(outbox, workers.1, "two")
        outbox.addObserver(workers.0, named: "other", on: .actor, for: Cancelled.self) { _, _ in }
        await workers.1.hold()
        let delivery = try outbox.deliver(Placed(number: 1))
        #expect(delivery.id == "memory-1")
        await workers.1.waitForAttempts(1)
        async let first = delivery.receipt(within: .seconds(600))
        let early = await delivery.receipt(within: .zero)
        #expect(early.outcomes["two"] == .waiting && !early.isComplete)
        await workers.1.letGo()
        let receipt = await delivery.receipt(within: .seconds(600))
        #expect(receipt.isComplete && receipt.outcomes == ["one": .handled, "two": .handled])
        #expect(await first == receipt && receipt.description == "memory-1: one handled, two handled")
        await outbox.finish(within: .seconds(600))
    }

    @Test func `a receipt distinguishes observers that retry from observers with a dead letter`() async throws {
        let outbox = try await open()
        observe(outbox, workers.0, "patient", retrying: RetryPolicy([.seconds(3600)]))
        observe(outbox, workers.1, "hasty")
        await workers.0.fail(1, times: 1)
        await workers.1.fail(1, times: 2)
        let delivery = try outbox.deliver(Placed(number: 1))
        await workers.0.waitForAttempts(1)
        await workers.1.waitForAttempts(2)
        await eventually("every outcome is known") { !delivery.receipt.outcomes.values.contains(.waiting) }
        await eventually(
            "the outcome of the hasty observer is no longer `failing`", { delivery.receipt.outcomes["hasty"] },
            until: { $0 != .failing("Refused()") })
        let receipt = await delivery.receipt(within: .milliseconds(1))
        #expect(receipt.outcomes == ["patient": .failing("Refused()"), "hasty": .deadLetter("Refused()")])
        #expect(!receipt.isComplete)
        await outbox.finish(within: .zero)
    }

    @Test func `a failure of another key's notification doesn't affect a receipt, and a retry completes a receipt`()
        async throws
    {
        let outbox = try await open()
        observe(
            outbox, workers.0, "keyed", retrying: RetryPolicy([.milliseconds(1), .seconds(3600)]),
            ordered: .by(\.customer))
        await workers.0.fail(1, times: 2)
        await workers.0.fail(2, times: 1)
        let held = try outbox.deliver(Placed(number: 1, customer: "a"))
        let again = try outbox.deliver(Placed(number: 2, customer: "b"))
        let behind = try outbox.deliver(Placed(number: 3, customer: "a"))
        #expect(await again.receipt(within: .seconds(600)).isComplete)
        await eventually(
            "the keyed observer has an outcome", { held.receipt.outcomes["keyed"] }, until: { $0 != .waiting })
        #expect(behind.receipt.outcomes == ["keyed": .waiting])
        await outbox.finish(within: .zero)
    }

    @Test func `a receipt doesn't wait for observers that run elsewhere or have ended`() async throws {
        let (first, second) = (try await open(), try await open())
        observe(first, workers.0, "shared")
        await eventually(
            "the first program's observer runs", { first.runningObservers.first?.state }, until: { $0 == .running })
        observe(second, workers.1, "shared")
        let token = observe(second, workers.1, "ending")
        await workers.1.hold()
        await eventually(
            "the shared observer is elsewhere",
            { second.runningObservers.first(where: { $0.name == "shared" })?.state },
            until: { $0 == .elsewhere })
        let delivery = try second.deliver(Placed(number: 1))
        await workers.1.waitForAttempts(1)
        token.cancel()
        await workers.1.letGo()
        let receipt = await delivery.receipt(within: .seconds(600))
        #expect(receipt.outcomes["shared"] == .elsewhere)
        // The observer ended during its call, so it may or may not have handled the notification.
        #expect(receipt.outcomes["ending"] == .ended || receipt.outcomes["ending"] == .handled)
        await first.finish(within: .seconds(600))
        await second.finish(within: .seconds(600))
        #expect(try second.store.append([]) == [])
        #expect(throws: OutboxError.self) { try second.deliver(Placed(number: 2)) }
    }

    @Test func `a delivery without references is deallocated, and cancelling a task ends its wait for a receipt`()
        async throws
    {
        let outbox = try await open()
        observe(outbox, workers.0, "one")
        weak var released: StoredDelivery?
        do {
            let delivery = try outbox.deliver(Placed(number: 1))
            released = delivery
            #expect(await delivery.receipt(within: .seconds(600)).isComplete)
        }
        // The task that updated the delivery may release it with a delay.
        await eventually("the object is released") { released == nil }
        await workers.0.hold()
        let delivery = try outbox.deliver(Placed(number: 2))
        await workers.0.waitForAttempts(2)
        let waiting = Task { await delivery.receipt(within: .seconds(3600)) }
        waiting.cancel()
        #expect(await waiting.value.outcomes == ["one": .waiting])
        await workers.0.letGo()
        await outbox.finish(within: .seconds(600))
    }
}

#if GRDB
    import GRDB

    extension StoredDeliveryTests {
        @Test func `in SQLite, no observer receives a notification whose transaction is rolled back`() async throws {
            let folder = TestFolder()
            let pool = try DatabasePool(path: folder.path("db.sqlite"))
            let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), options: .quick)
            let worker = Worker()
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            let taken = Lock<StoredDelivery?>(nil)
            _ = try? await pool.write { db in
                let delivery = try outbox.deliver(Placed(number: 1), in: db)
                taken.withLock { $0 = delivery }
                throw Refused()
            }
            let lost = try #require(taken.withLock { $0 })
            let kept = try await pool.write { db in try outbox.deliver(Placed(number: 2), in: db) }
            #expect(await kept.receipt(within: .seconds(600)).isComplete)
            #expect(await worker.numbers == [2])
            // SQLite assigns the rolled-back number again, to a different notification.
            #expect(lost.id == kept.id && lost.receipt.outcomes == ["worker": .waiting])
            await outbox.finish(within: .seconds(600))
        }
    }
#endif
