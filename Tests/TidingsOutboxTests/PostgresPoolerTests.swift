#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox
    import TidingsTesting

    /// PgBouncer in transaction mode, in front of the test server.
    private final class PgBouncer: Sendable {
        static let path = "/usr/sbin/pgbouncer"
        static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

        private let folder = TestFolder()
        private let process = Process()
        let port: Int

        init() throws {
            // The proxy finds a free port and ends at once, so PgBouncer can use the port.
            let listener = try FreezingProxy(host: "127.0.0.1", port: 1)
            port = listener.port
            withExtendedLifetime(listener) {}
            let server = TestDatabase.server
            try """
            [databases]
            * = host=\(server.host) port=\(server.port)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = trust
            auth_file = \(folder.path("users"))
            pool_mode = transaction
            default_pool_size = 4
            """.write(toFile: folder.path("ini"), atomically: true, encoding: .utf8)
            try "\"\(server.user)\" \"\"\n".write(toFile: folder.path("users"), atomically: true, encoding: .utf8)
            process.executableURL = URL(fileURLWithPath: Self.path)
            // PgBouncer refuses to run as root.
            process.arguments = (getuid() == 0 ? ["-u", "postgres"] : []) + ["-q", folder.path("ini")]
            process.standardError = FileHandle.nullDevice
            try process.run()
        }

        deinit { kill(process.processIdentifier, SIGKILL) }

        func connector(_ database: TestDatabase) -> LibpqConnector {
            LibpqConnector(
                "host=127.0.0.1 port=\(port) user=\(TestDatabase.server.user) dbname=\(database.name)",
                preparesStatements: false)
        }
    }

    @Suite(
        .timeLimit(.ofServers), .serialized,
        .enabled(if: postgresServer != nil && PgBouncer.isThere, "there is no server, or no PgBouncer"))
    struct PostgresPoolerTests {
        private func open(_ connector: LibpqConnector) async throws -> NotificationOutbox<PostgresOutboxStore> {
            var opened: NotificationOutbox<PostgresOutboxStore>?
            try await eventually("PgBouncer has started") {
                let store = PostgresOutboxStore(connector, leaseTime: .seconds(1), isPooled: true)
                do {
                    opened = try await NotificationOutbox(store, of: NativeNotificationCenter(), options: .quick)
                } catch let error as OutboxError where error.code == .unreachable { await store.stop() }
                return opened != nil
            }
            return try #require(opened)
        }

        private func observe(_ outbox: NotificationOutbox<PostgresOutboxStore>, _ worker: Worker) {
            outbox.addObserver(
                worker, named: "worker", on: .actor, for: Placed.self, ordered: .by(\.customer), from: .stored,
                retrying: RetryPolicy([.milliseconds(1)])
            ) { me, note in try await me.handle(note) }
        }

        @Test func `behind a pooler, a second replica takes over an observer when the first replica finishes`()
            async throws
        {
            let (database, pooler) = (try await TestDatabase(), try PgBouncer())
            let connector = pooler.connector(database)
            let (first, second) = (try await open(connector), try await open(connector))
            let workers = (Worker(), Worker())
            await workers.0.fail(7, times: 1)
            observe(first, workers.0)
            await eventually(
                "the first program's observer runs", { first.runningObservers.first?.state }, until: { $0 == .running })
            observe(second, workers.1)
            await eventually(
                "the second program's observer has the state `elsewhere`", { second.runningObservers.first?.state },
                until: { $0 == .elsewhere })
            let pool = LibpqPool(connector, size: 8)
            func post(_ numbers: ClosedRange<Int>) async throws {
                try await withThrowingTaskGroup { group in
                    for number in numbers {
                        group.addTask {
                            try await pool.transaction { transaction in
                                try await second.post(Placed(number: number, customer: "\(number)"), in: transaction)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            try await post(1...40)
            await eventually("40 notifications are handled", { await workers.0.numbers.count }, until: { $0 >= 40 })
            #expect(await Set(workers.0.numbers) == Set(1...40))
            await first.finish(within: .seconds(600))
            try await post(41...80)
            await eventually("40 notifications are handled", { await workers.1.numbers.count }, until: { $0 >= 40 })
            #expect(await Set(workers.1.numbers) == Set(41...80))
            await second.finish(within: .seconds(600))
            await pool.close()
        }

        @Test func `behind a pooler, a replica that stops renewing its lease is replaced`() async throws {
            let (database, pooler) = (try await TestDatabase(), try PgBouncer())
            let connector = pooler.connector(database)
            let outbox = try await open(connector)
            // This store isn't started, so it doesn't renew its lease, as if its program had been killed.
            let killed = PostgresOutboxStore(connector, leaseTime: .milliseconds(300), isPooled: true)
            _ = try await killed.prepare()
            let session = try #require(try await killed.claim("worker", beginningAt: 0))
            let worker = Worker()
            observe(outbox, worker)
            let pool = LibpqPool(connector, size: 2)
            try await pool.transaction { try await outbox.post(Placed(number: 1), in: $0) }
            await worker.waitForAttempts(1)
            await #expect { try await session.save(OutboxProgressChange(cursor: 1)) } throws: {
                ($0 as? OutboxError)?.code == .leaseLost
            }
            await killed.stop()
            await outbox.finish(within: .seconds(600))
            await pool.close()
        }
    }
#endif
