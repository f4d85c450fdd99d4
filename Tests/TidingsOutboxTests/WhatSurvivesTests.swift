#if GRDB
    import Foundation
    import GRDB
    import Testing
    import Tidings
    import TidingsOutbox

    /// Each cell of the table in the article *What survives*, with SQLite: for each row what an observer of the center gets, a durable one,
    /// and one with an inbox. Those of PostgreSQL alone are in `PostgresSurvivalTests`.
    @Suite(.timeLimit(.minutes(20))) struct WhatSurvivesTests {
        private let folder = TestFolder()

        /// The rows of the table that a test of this file or of the other one is about.
        private static let rows = [
            "nothing", "the transaction is rolled back", "the program, before the commit",
            "the program, after the commit",
            "the program, while an observer handles it", "the observer throws",
            "the observer's actor, or its token, ends",
            "the center finishes", "the database is away, locked or full", "the connection to PostgreSQL is cut",
            "the replica that runs the observer",
        ]

        @Test func `each row of the table has its test`() throws {
            let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
                path: "../../Sources/TidingsOutbox/Documentation.docc/WhatSurvives.md")
            let text = try String(contentsOf: article, encoding: .utf8)
            let table = text.split(separator: "| what dies |")[1].split(separator: "\n\n")[0].split(separator: "\n")
                .dropFirst(2)
            let rows = table.map { $0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces) }
            #expect(rows == Self.rows)
        }

        @Test func `nothing dies: each gets it once, in order`() async throws {
            let program = try await SurvivalProgram(in: folder)
            try await program.post(1, 2, 3)
            await program.drain()
            #expect(program.heard == [1, 2, 3])
            #expect(await program.durable.attempts == [1, 2, 3])
            #expect(await program.durable.repeated == [])
            #expect(try await program.done() == [1, 2, 3])
            await program.finish()
            // Nothing that is done is done again by the next one.
            let next = try await program.successor("next")
            await next.drain()
            #expect(await next.durable.attempts == [])
            #expect(await next.effects.attempts == 0)
            await next.finish()
        }

        @Test func `the transaction is rolled back: nobody ever gets it`() async throws {
            let program = try await SurvivalProgram(in: folder)
            try? await program.pool.write { [outbox = program.outbox] db in
                try outbox.post(Placed(number: 1), in: db)
                throw Refused()
            }
            try await program.post(2)
            await program.drain()
            let next = try await program.successor("next")
            await next.drain()
            #expect(program.heard == [2])
            for program in [program, next] {
                #expect(await !program.durable.attempts.contains(1))
                #expect(try await program.done() == [2])
                await program.finish()
            }
        }

        @Test func `the program dies before the commit: nobody ever gets it`() async throws {
            let program = try await SurvivalProgram(in: folder)
            try? await program.pool.write { [outbox = program.outbox] db in
                try outbox.post(Placed(number: 1), in: db)
                try program.copy("next")
                throw Refused()
            }
            let next = try await SurvivalProgram(in: folder, "next")
            await next.drain()
            #expect(next.heard == [])
            #expect(await next.durable.attempts == [])
            #expect(try await next.done() == [])
            await next.finish()
            await program.finish()
        }

        @Test func `the program dies after the commit: durable observers get it, those of the center do not`()
            async throws
        {
            let program = try await SurvivalProgram(in: folder)
            try await program.post(1)
            await program.drain()
            // Nothing of this program sees what is committed now before it dies.
            try await program.pool.writeWithoutTransaction { [outbox = program.outbox] db in
                try db.inTransaction {
                    try outbox.post(Placed(number: 2), in: db)
                    return .commit
                }
                try program.copy("next")
            }
            let next = try await SurvivalProgram(in: folder, "next")
            await next.drain()
            #expect(next.heard == [])
            let (attempts, repeated) = (await next.durable.attempts, await next.durable.repeated)
            #expect(attempts.contains(2))
            #expect(attempts == repeated, "what may come twice is marked")
            #expect(try await next.done() == [1, 2])
            await next.finish()
            await program.finish()
        }

        @Test func `the program dies while observers handle it: durable ones get it again, marked, the effect is one`()
            async throws
        {
            let program = try await SurvivalProgram(in: folder)
            await program.durable.hold()
            await program.effects.hold()
            try await program.post(1)
            await program.durable.waitForAttempts(1)
            while await !program.effects.isWaiting { await Task.yield() }
            let next = try await program.successor("next")
            await next.drain()
            #expect(next.heard == [])
            #expect(await next.durable.repeated == [1])
            #expect(await next.effects.attempts == 1)
            #expect(try await next.done() == [1])
            await next.finish()
            await program.durable.letGo()
            await program.effects.letGo()
            await program.finish()
        }

        @Test func `the observer throws: others get it, it gets it again, and then it is buried and listed`()
            async throws
        {
            let program = try await SurvivalProgram(in: folder)
            await program.durable.fail(1, times: 9)
            await program.effects.fail(1, times: 2)
            try await program.post(1, 2)
            await program.drain()
            #expect(program.heard == [1, 2])
            #expect(await program.durable.attempts == [1, 1, 1, 2])
            #expect(try await program.outbox.buried(for: "durable").map(\.attempts) == [3])
            #expect(try await program.done() == [1, 2])
            #expect(await program.effects.attempts == 4)
            let kinds = program.faultKinds
            #expect(kinds.filter { $0 == .buried }.count == 1)
            #expect(kinds.filter { $0 == .observerFailed }.count == 4)
            await program.finish()
        }

        @Test func `the observer's token ends: the center's goes on, the others' waits for the next of the name`()
            async throws
        {
            let program = try await SurvivalProgram(in: folder)
            try await program.post(1)
            await program.drain()
            await program.endObservers()
            try await program.post(2)
            await program.drain()
            #expect(program.heard == [1, 2])
            #expect(try await program.outbox.knownObservers().map(\.backlog) == [1, 1])
            program.observe()
            await program.drain()
            #expect(await program.durable.attempts == [1, 2])
            #expect(try await program.done() == [1, 2])
            await program.finish()
        }

        @Test func `the center finishes: its observers get nothing more, the others' waits in the table`() async throws
        {
            let program = try await SurvivalProgram(in: folder)
            try await program.post(1)
            await program.drain()
            await program.center.finish(within: .seconds(60))
            try await program.post(2)
            while !program.outbox.observers.isEmpty { await Task.yield() }
            #expect(program.heard == [1])
            #expect(await program.durable.attempts == [1])
            let next = try await program.successor("next")
            await next.drain()
            #expect(await next.durable.numbers == [2])
            #expect(try await next.done() == [1, 2])
            await next.finish()
            await program.finish()
        }

        @Test func `the database is locked: the post says so, durable observers wait, and nothing is buried meanwhile`()
            async throws
        {
            let program = try await SurvivalProgram(in: folder, retrying: .none)
            await program.effects.hold(before: true)
            try await program.post(1)
            while await !program.effects.isWaiting { await Task.yield() }
            while await program.durable.numbers != [1] { await Task.yield() }
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: folder.path("shop"), configuration: configuration)
            try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            await #expect(throws: DatabaseError.self) { try await program.post(3) }
            // The effect fails, too, which would bury it at once if the database could be written.
            await program.effects.letGo()
            while await program.effects.attempts < 8, !program.faultKinds.contains(.buried) { await Task.yield() }
            #expect(program.faultKinds.contains(.storeFailed))
            try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try await program.post(4)
            await program.drain()
            #expect(program.heard == [1, 4])
            #expect(await program.durable.numbers == [1, 4])
            #expect(try await program.done() == [1, 4])
            #expect(!program.faultKinds.contains(.buried))
            await program.finish()
        }

        @Test func `the database is full: the post says so, and what was stored before is handled when there is room`()
            async throws
        {
            let delays = RetryDelays(Array(repeating: .milliseconds(20), count: 100_000))
            let program = try await SurvivalProgram(in: folder, retrying: delays)
            // It is as large as it may be.
            try await program.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
            var stored: [Int] = []
            do {
                while true {
                    try await program.pool.write { [outbox = program.outbox, number = stored.count] db in
                        try outbox.post(Placed(number: number, customer: String(repeating: "x", count: 500)), in: db)
                    }
                    stored.append(stored.count)
                }
            } catch let error as DatabaseError { #expect(error.resultCode == .SQLITE_FULL) }
            try await program.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
            await program.drain()
            #expect(program.heard == stored)
            #expect(await program.durable.numbers == stored)
            #expect(try await program.done() == stored)
            await program.finish()
        }
    }
#endif
