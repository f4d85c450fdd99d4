#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsTesting

    @testable import TidingsOutbox

    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresSchemaTests {
        @Test func `outboxes in different schemas of a database have separate rows and observers`() async throws {
            let database = try await TestDatabase()
            let pool = LibpqPool(database.connector)
            var outboxes: [NotificationOutbox<PostgresOutboxStore>] = []
            let workers = [Worker(), Worker(), Worker()]
            // The last outbox uses the schema of the search path.
            for (schema, worker) in zip(["tenant a\"'$x$", "b", nil], workers) {
                let outbox = try await NotificationOutbox(
                    in: database.connector, schema: schema, of: NativeNotificationCenter(), options: .quick)
                outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                    try await me.handle(note)
                }
                outboxes.append(outbox)
            }
            for (number, outbox) in outboxes.enumerated() {
                try await pool.transaction { try await outbox.post(Placed(number: number), in: $0) }
            }
            for worker in workers { await worker.waitForAttempts(1) }
            for (number, worker) in workers.enumerated() { #expect(await worker.numbers == [number]) }
            let inbox = try await PostgresInbox(in: database.connector, schema: "b")
            #expect(try await inbox.prune(olderThan: .zero) == 0)
            for outbox in outboxes { await outbox.finish(within: .seconds(600)) }
            await pool.close()
        }

        @Test func `an invalid schema name throws an error`() async throws {
            let database = try await TestDatabase()
            for name in ["", String(repeating: "x", count: 64), "a\0b"] {
                let store = PostgresOutboxStore(database.connector, schema: name)
                await #expect { _ = try await store.prepare() } throws: { ($0 as? OutboxError)?.code == .invalidName }
                await store.stop()
            }
        }

        @Test
        func `a standby checks all observers that run elsewhere with one query, however often it tries to claim them`()
            async throws
        {
            let database = try await TestDatabase()
            let connector = CountingConnector(database.connector)
            let first = PostgresOutboxStore(database.connector, leaseTime: .seconds(600))
            _ = try await first.prepare()
            let names = (0..<200).map { "w\($0)" }
            let sessions = try await withThrowingTaskGroup { group in
                for name in names { group.addTask { try await first.claim(name, beginningAt: 0) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(sessions.count == 200 && sessions.allSatisfy { $0 != nil })
            let standby = PostgresOutboxStore(connector, leaseTime: .seconds(600))
            _ = try await standby.prepare()
            for _ in 0..<2 { for name in names { #expect(try await standby.claim(name, beginningAt: 0) == nil) } }
            let before = connector.count
            for _ in 0..<20 { for name in names { #expect(try await standby.claim(name, beginningAt: 0) == nil) } }
            // Many calls share a query, which is made at most every 1.5 seconds. Even a very slow machine makes fewer
            // than 20.
            #expect(connector.count - before < 20)
            for session in sessions { await session?.end(isClean: true) }
            var taken: (any OutboxObserverSession)?
            try await eventually("the observer can be claimed") {
                taken = try await standby.claim("w7", beginningAt: 0)
                return taken != nil
            }
            await taken?.end(isClean: true)
            await first.stop()
            await standby.stop()
        }

        @Test func `a lease that isn't renewed expires by the database's clock, even if the connection stays open`()
            async throws
        {
            let database = try await TestDatabase()
            let (one, two) = (
                PostgresOutboxStore(database.connector, leaseTime: .milliseconds(200)),
                PostgresOutboxStore(database.connector)
            )
            _ = try await one.prepare()
            // The store wasn't started, so nothing renews the lease.
            let session = try #require(try await one.claim("worker", beginningAt: 0))
            var theirs: (any OutboxObserverSession)?
            try await eventually("the observer can be claimed") {
                theirs = try await two.claim("worker", beginningAt: 0)
                return theirs != nil
            }
            #expect(theirs?.beginning.wasInterrupted == true)
            await #expect { try await session.save(OutboxProgressChange(cursor: 3)) } throws: {
                ($0 as? OutboxError)?.code == .leaseLost
            }
            await #expect { try await session.confirm() } throws: { ($0 as? OutboxError)?.code == .leaseLost }
            await #expect {
                try await session.save(OutboxProgressChange(cursor: 3, held: [OutboxHeldRow(key: "a", position: 1)]))
            } throws: {
                ($0 as? OutboxError)?.code == .leaseLost
            }
            #expect(try await two.observers().map(\.held) == [0])
            await theirs?.end(isClean: true)
            await one.stop()
            await two.stop()
        }

        @Test(arguments: [1, 2])
        func `a lease for a removed observer stays lost when another program claims the observer`(
            partitions: Int
        ) async throws {
            let database = try await TestDatabase()
            let (one, two) = (
                PostgresOutboxStore(database.connector, leaseTime: .seconds(600)),
                PostgresOutboxStore(database.connector, leaseTime: .seconds(600))
            )
            _ = try await one.prepare()
            _ = try await two.prepare()
            // Returns the session of the last partition. With two, claiming the first creates the second.
            func claim(_ store: PostgresOutboxStore) async throws -> (any OutboxObserverSession)? {
                var last: (any OutboxObserverSession)?
                for index in 0..<partitions {
                    last = try await store.claim("worker", partition: index, of: partitions, beginningAt: 0)
                }
                return last
            }
            let session = try #require(try await claim(one))
            // The first program keeps its sessions, and leaves all partitions to the second program.
            await one.leave("worker")
            try await two.remove("worker")
            let theirs = try #require(try await claim(two))
            await #expect { try await session.confirm() } throws: { ($0 as? OutboxError)?.code == .leaseLost }
            for held in [[], [OutboxHeldRow(key: "a", position: 1)]] as [[OutboxHeldRow]] {
                await #expect { try await session.save(OutboxProgressChange(cursor: 5, held: held)) } throws: {
                    ($0 as? OutboxError)?.code == .leaseLost
                }
            }
            await session.end(isClean: true)
            try await theirs.confirm()
            try await theirs.save(OutboxProgressChange(cursor: 9))
            await theirs.end(isClean: true)
            await one.stop()
            await two.stop()
        }

        @Test func `rows to retry are restored as saved, whatever text their keys and errors contain`() async throws {
            let database = try await TestDatabase()
            let store = PostgresOutboxStore(database.connector, leaseTime: .seconds(600))
            _ = try await store.prepare()
            let session = try #require(try await store.claim("worker", beginningAt: 0))
            let held = ["null", "a\"b,c'); DROP TABLE x;--", "{\\}", "", "ü\n\t", String(repeating: "k", count: 300)]
                .enumerated().map { index, text in
                    OutboxHeldRow(
                        key: text, position: Int64(index + 1), attempts: index, due: 7,
                        error: index == 0 ? nil : text)
                }
            try await session.save(OutboxProgressChange(cursor: 6, held: held))
            #expect(try await session.held() == held)
            try await session.save(OutboxProgressChange(cursor: 6, released: [1, 3]))
            #expect(try await session.held().map(\.position) == [2, 4, 5, 6])
            await session.end(isClean: true)
            await store.stop()
        }
    }
#endif
