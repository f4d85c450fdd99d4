#if GRDB && Libpq
    import Foundation
    import GRDB
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox

    /// Tests of two programs with the same durable observer. One program is killed or stopped while notifications are
    /// stored.
    @Suite(.timeLimit(.ofServers), .serialized) struct ReplicaTests {
        private protocol SharedDatabase: Sendable {
            var arguments: (kind: String, place: String) { get }
            func post(_ number: Int) async throws
            func effects() async throws -> [(number: Int, program: String)]
            func close() async
        }

        private final class InPostgres: SharedDatabase {
            let database: TestDatabase
            let outbox: NotificationOutbox<PostgresOutboxStore>
            let poster: LibpqConnection, reader: LibpqConnection

            init() async throws {
                database = try await TestDatabase()
                poster = try await database.connector.open()
                reader = try await database.connector.open()
                try await poster.run("CREATE TABLE effects(number bigint NOT NULL, program text NOT NULL)", [])
                outbox = try await NotificationOutbox(in: database.connector, of: NativeNotificationCenter())
            }

            var arguments: (kind: String, place: String) {
                ("postgres", "\(postgresServer ?? "") dbname=\(database.name)")
            }

            func post(_ number: Int) async throws {
                try await poster.transaction { try await outbox.post(Placed(number: number), in: $0) }
            }

            func effects() async throws -> [(number: Int, program: String)] {
                try await reader.run("SELECT number::text, program FROM effects ORDER BY effects.number", []).map {
                    ($0[0].flatMap(Int.init) ?? -1, $0[1] ?? "")
                }
            }

            func close() async {
                await outbox.finish(within: .zero)
                await poster.close()
                await reader.close()
            }
        }

        private final class InSQLite: SharedDatabase {
            let folder = TestFolder()
            let pool: DatabasePool
            let outbox: NotificationOutbox<SQLiteOutboxStore>

            init() async throws {
                var configuration = Configuration()
                configuration.busyMode = .timeout(60)
                pool = try DatabasePool(path: folder.path("shop"), configuration: configuration)
                try await pool.write { db in
                    try db.execute(sql: "CREATE TABLE effects(number INTEGER NOT NULL, program TEXT NOT NULL)")
                }
                outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter())
            }

            var arguments: (kind: String, place: String) { ("sqlite", folder.path("shop")) }

            func post(_ number: Int) async throws {
                try await pool.write { [outbox] db in try outbox.post(Placed(number: number), in: db) }
            }

            func effects() async throws -> [(number: Int, program: String)] {
                try await pool.read { db in
                    try Row.fetchAll(db, sql: "SELECT number, program FROM effects ORDER BY number").map {
                        ($0[0], $0[1])
                    }
                }
            }

            func close() async { await outbox.finish(within: .zero) }
        }

        enum Kind: CaseIterable { case sqlite, postgres }

        private func open(_ kind: Kind) async throws -> any SharedDatabase {
            switch kind {
            case .sqlite: try await InSQLite()
            case .postgres: try await InPostgres()
            }
        }

        private func start(_ name: String, _ database: any SharedDatabase) throws -> OutboxProbe {
            try OutboxProbe(name, database.arguments.kind, database.arguments.place)
        }

        private static var kinds: [Kind] { postgresServer == nil ? [.sqlite] : Kind.allCases }

        @Test(
            .survives("the replica that runs the observer ends", .center, .durable, .inbox, on: [.sqlite, .postgres]),
            arguments: kinds)
        func
            `each effect happens once even if the program that runs the observer is killed repeatedly`(
                kind: Kind
            ) async throws
        {
            let database = try await open(kind)
            var running = [try start("0", database), try start("1", database)]
            var dead: [OutboxProbe] = []
            var posted = 0
            for round in 0..<5 {
                let wanted = posted + 60
                while posted < wanted {
                    posted += 1
                    try await database.post(posted)
                }
                // The program with the last effect runs the observer.
                var last = ""
                try await eventually("there is an effect of this round") {
                    last = try await database.effects().last { $0.number > wanted - 60 }?.program ?? ""
                    return !last.isEmpty
                }
                let index = try #require(running.firstIndex { $0.name == last })
                let killed = running.remove(at: index)
                await killed.kill9()
                dead.append(killed)
                running.append(try start("\(round + 2)", database))
            }
            try await eventually(
                "every post has an effect", { try await Set(database.effects().map(\.number)).count },
                until: { $0 >= posted })
            #expect(try await database.effects().map(\.number) == Array(1...posted))
            for program in running { await program.kill9() }

            // Calls that repeat a row are marked. Each kill repeats at most one page. All other calls are in order.
            var seen: Set<Int> = []
            var firsts: [Int] = []
            var twice = 0
            for program in dead + running {
                for call in program.calls {
                    if seen.insert(call.number).inserted {
                        firsts.append(call.number)
                    } else {
                        twice += 1
                        #expect(call.isMarked, "\(call.number) was repeated in \(program.name) without a mark")
                    }
                }
            }
            #expect(firsts == Array(1...posted))
            #expect(twice <= 256 * dead.count)
            // Only the program that stored a notification passes it to observers of the center.
            #expect((dead + running).allSatisfy { program in !program.lines.contains { $0.hasPrefix("heard") } })
            await database.close()
        }

        @Test(.enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"))
        func `a suspended replica is replaced, and has lost its lease when it continues`() async throws {
            let database = try await open(.postgres)
            let programs = [try start("0", database), try start("1", database)]
            try await database.post(1)
            try await eventually("an effect is stored") { try await !database.effects().isEmpty }
            let name = try await database.effects()[0].program
            let stopped = try #require(programs.first { $0.name == name })
            let other = try #require(programs.first { $0.name != name })
            stopped.stop()
            for number in 2...20 { try await database.post(number) }
            try await eventually(
                "twenty effects are stored", { try await database.effects().count }, until: { $0 >= 20 })
            #expect(try await database.effects().dropFirst().allSatisfy { $0.program == other.name })
            stopped.goOn()
            await eventually("the stopped program reports that it lost the lease") {
                stopped.lines.contains("fault leaseLost")
            }
            for number in 21...40 { try await database.post(number) }
            try await eventually(
                "forty effects are stored", { try await database.effects().count }, until: { $0 >= 40 })
            #expect(try await database.effects().map(\.number) == Array(1...40))
            #expect(try await database.effects().dropFirst(20).allSatisfy { $0.program == other.name })
            for program in programs { await program.kill9() }
            await database.close()
        }
    }
#endif
