#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox
    import TidingsTesting

    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresSilenceTests {
        private let recorder = RecordingNotificationCenter()

        @Test func `a frozen connection is reported and replaced, and meanwhile another replica takes over`()
            async throws
        {
            let (database, proxy) = (try await TestDatabase(), try TestDatabase.proxy())
            let store = PostgresOutboxStore(
                LibpqConnector(database.parameters(through: proxy)), leaseTime: .seconds(1), timeout: .seconds(1))
            let frozen = try await NotificationOutbox(store, of: recorder, options: .quick)
            let (worker, other) = (Worker(), Worker())
            frozen.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            await eventually("the observer runs", { frozen.runningObservers.first?.state }, until: { $0 == .running })
            proxy.freeze()
            await eventually(
                "the failure is reported", { Faults(recorder).kinds }, until: { $0.contains(.storeFailed) })
            #expect(frozen.health().problems.contains { $0.kind == .failingStore })

            let there = try await NotificationOutbox(
                PostgresOutboxStore(database.connector), of: NativeNotificationCenter(), options: .quick)
            there.addObserver(other, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            let poster = try await database.connector.open()
            try await poster.transaction { try await there.post(Placed(number: 1), in: $0) }
            await other.waitForAttempts(1)

            proxy.goOn()
            await eventually("the store works", { Faults(recorder).kinds }, until: { $0.contains(.storeRecovered) })
            await eventually("the frozen outbox is healthy again", { frozen.health() }, until: \.isWell)
            await eventually(
                "the other replica runs the observer", { frozen.runningObservers.first?.state },
                until: { $0 == .elsewhere })
            try await poster.transaction { try await frozen.post(Placed(number: 2), in: $0) }
            await other.waitForAttempts(2)
            #expect(await worker.numbers.isEmpty)
            await there.finish(within: .seconds(600))
            try await poster.transaction { try await frozen.post(Placed(number: 3), in: $0) }
            await worker.waitForAttempts(1)
            #expect(await other.numbers == [1, 2])
            #expect(await worker.numbers == [3])
            await frozen.finish(within: .seconds(600))
            await poster.close()
        }

        @Test func `a statement that isn't answered within the timeout fails, and its connection is closed`()
            async throws
        {
            let (database, proxy) = (try await TestDatabase(), try TestDatabase.proxy())
            let connector = LibpqConnector(database.parameters(through: proxy), timeout: .milliseconds(200))
            let connection = try await connector.open()
            proxy.freeze()
            await #expect(throws: OutboxPostgresConnectionEnded.self) { try await connection.run("SELECT 1::text", []) }
            await connection.close()
            proxy.goOn()
        }

        @Test func `a server that accepts a connection and stays silent counts as unavailable`() async throws {
            let (database, proxy) = (try await TestDatabase(), try TestDatabase.proxy())
            proxy.freeze()
            let store = PostgresOutboxStore(
                LibpqConnector(database.parameters(through: proxy)), timeout: .milliseconds(200))
            await #expect { _ = try await store.prepare() } throws: { ($0 as? OutboxError)?.code == .unreachable }
            proxy.goOn()
            await store.stop()
        }
    }
#endif
