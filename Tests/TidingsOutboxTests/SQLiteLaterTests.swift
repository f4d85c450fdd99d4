#if GRDB
    import Foundation
    import GRDB
    import TestSupport
    import Testing
    import Tidings
    import TidingsTesting

    @testable import TidingsOutbox

    @Suite(.timeLimit(.minutes(2))) struct SQLiteLaterTests {
        private let folder = TestFolder()
        private let clock = ManualClock()
        private let worker = Worker()

        private func pool() throws -> DatabasePool { try DatabasePool(path: folder.path("shop.sqlite")) }

        private func open(_ pool: DatabasePool) async throws -> NotificationOutbox<SQLiteOutboxStore> {
            try await NotificationOutbox(
                SQLiteOutboxStore(pool), of: NativeNotificationCenter(), options: .quick, clock: clock)
        }

        private func observe(_ outbox: NotificationOutbox<SQLiteOutboxStore>) {
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored) { me, note in
                try await me.handle(note)
            }
        }

        @Test func `scheduling or cancelling a notification takes effect only if the transaction commits`()
            async throws
        {
            let pool = try pool()
            let outbox = try await open(pool)
            observe(outbox)
            try? await pool.write { db in
                try outbox.post(Placed(number: 1), after: .seconds(1), in: db)
                throw Refused()
            }
            let ids = try await pool.write { db in
                try (2...4).map { try outbox.post(Placed(number: $0), after: .seconds($0), in: db) }
            }
            try? await pool.write { db in
                #expect(try outbox.cancel(ids[0], in: db))
                throw Refused()
            }
            let cancelled = try await pool.write { db in
                [try outbox.cancel(ids[1], in: db), try outbox.cancel(ids[1], in: db)]
            }
            #expect(cancelled == [true, false])
            try await pool.writeWithoutTransaction { db in
                _ = try outbox.post(Placed(number: 5), at: Date() + 5, in: db)
            }
            while await worker.attempts.count < 3 { await clock.advanceForSleepers() }
            #expect(await worker.numbers == [2, 4, 5])
            #expect(clock.now.offset >= .seconds(4))
            #expect(try await !outbox.cancel(ids[0]))
            await outbox.finish(within: .zero)
        }

        @Test func `an identity without a scheduled notification is ignored, whatever its number`() async throws {
            let pool = try pool()
            let outbox = try await open(pool)
            let id = try await pool.write { try outbox.post(Placed(number: 1), after: .seconds(1_000), in: $0) }
            for number in [Int64.min, -2, 0, 1, .max] {
                let unknown = outbox.core.id(of: number)
                #expect(try await !outbox.makeDue(unknown))
                #expect(try await !outbox.cancel(unknown))
            }
            #expect(try await outbox.cancel(id))
            await outbox.finish(within: .zero)
        }

        @Test func `a due notification isn't lost if a program is killed while moving it to the outbox`() async throws {
            let pool = try pool()
            let outbox = try await open(pool)
            let id = try await pool.write { try outbox.post(Placed(number: 1), at: .distantPast, in: $0) }
            let due = Int64.max
            try? await self.pool().write { db in
                try SQLiteOutboxStore.moveDue(at: due, db)
                #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM tidings_outbox") == 1)
                throw Refused()
            }
            #expect(try await outbox.scheduledNotifications().map { outbox.id(of: $0.row) } == [id])
            observe(outbox)
            while await worker.attempts.isEmpty { await clock.advanceForSleepers() }
            await outbox.drain(within: .seconds(60))
            #expect(await worker.numbers == [1])
            await outbox.finish(within: .zero)
        }

        @Test func `stored notifications can be listed without a limit`() async throws {
            let pool = try pool()
            let outbox = try await open(pool)
            await worker.hold()
            observe(outbox)
            for number in 1...2 { try await pool.write { try outbox.post(Placed(number: number), in: $0) } }
            while await worker.attempts.isEmpty { await clock.advanceForSleepers() }
            #expect(try await outbox.waitingNotifications(for: "worker", limit: .max).count == 2)
            #expect(try await outbox.storedNotifications(limit: .max).entries.count == 2)
            await worker.letGo()
            await outbox.finish(within: .zero)
        }

        @Test func `two programs move each due notification to the outbox once, ordered by due time`() async throws {
            let pools = [try pool(), try pool()]
            let stores = pools.map { SQLiteOutboxStore($0) }
            for store in stores { _ = try await store.prepare() }
            let numbers = (0..<3_000).map { $0 * 7 % 3_000 }
            try await pools[0].write { db in
                for number in numbers {
                    _ = try stores[0].schedule(OutboxPost(Placed(number: number)), in: db, due: Int64(number), at: 0)
                }
            }
            try await withThrowingTaskGroup { group in
                for store in stores + stores { group.addTask { _ = try await store.moveDue(at: 2_499) } }
                try await group.waitForAll()
            }
            let (last, next) = try await stores[1].moveDue(at: 2_499)
            #expect(last == 2_500 && next == .milliseconds(1))
            let page = try await stores[0].page(after: 0, limit: 5_000, named: [Placed.wireName])
            let placed = try page.rows.map { try JSONDecoder().decode(Placed.self, from: $0.body).number }
            #expect(placed == Array(0..<2_500))
            #expect(Set(page.rows.map(\.id)).count == 2_500 && page.rows.allSatisfy { $0.id < 0 })
            #expect(try await stores[0].scheduled(limit: 1).map(\.due) == [2_500])
        }

        @Test func `a notification that becomes due while it is being cancelled is either cancelled or received`()
            async throws
        {
            let pools = [try pool(), try pool()]
            let (store, other) = (SQLiteOutboxStore(pools[0]), SQLiteOutboxStore(pools[1]))
            _ = try await store.prepare()
            // This call sets the busy timeout with which the second pool waits while the first one writes.
            _ = try await other.prepare()
            for round in Int64(1)...20 {
                let ids = try await pools[0].write { db in
                    try (1...20).map {
                        try store.schedule(OutboxPost(Placed(number: $0)), in: db, due: round, at: 0)
                    }
                }
                async let moving = other.moveDue(at: round)
                var cancelled: Set<Int64> = []
                for id in ids.shuffled() where try await store.cancel(id) { cancelled.insert(id) }
                _ = try await moving
                _ = try await store.moveDue(at: round)
                let moved = try await store.page(after: 0, limit: 10_000, named: [Placed.wireName]).rows.map(\.id)
                #expect(Set(ids).subtracting(cancelled).isSubset(of: moved))
                #expect(cancelled.isDisjoint(with: moved))
            }
        }
    }
#endif
