#if GRDB
    import Foundation
    import GRDB
    import TestSupport
    import Testing
    import Tidings

    @testable import TidingsOutbox

    @Suite(.timeLimit(.minutes(2))) struct GroupedProgressTests {
        private let folder = TestFolder()

        private final class Counter: Sendable {
            private let value = Lock(0)
            func add() { value.withLock { $0 += 1 } }
            var count: Int { value.withLock { $0 } }
        }

        /// A transaction that stays open and blocks all other writes to the database until ``end()``.
        private struct OpenTransaction {
            private let goesOn = DispatchSemaphore(value: 0)
            private let transaction: Task<Void, any Error>

            init(in pool: DatabasePool) async throws {
                let (beginnings, beginning) = AsyncStream<Void>.makeStream()
                transaction = Task { [goesOn] in
                    try await pool.write { db in
                        beginning.yield()
                        goesOn.wait()
                    }
                }
                for await _ in beginnings { return }
            }

            func end() async throws {
                goesOn.signal()
                try await transaction.value
            }
        }

        private func open(commits: Counter? = nil, patience: TimeInterval = 600) throws -> DatabasePool {
            var configuration = Configuration()
            configuration.busyMode = .timeout(patience)
            configuration.prepareDatabase { db in
                // A transaction that only reads begins with a different statement, so it isn't counted.
                db.trace { event in
                    if "\(event)".hasPrefix("BEGIN IMMEDIATE") { commits?.add() }
                }
            }
            return try DatabasePool(path: folder.path("shop"), configuration: configuration)
        }

        private func claim(_ count: Int, of store: SQLiteOutboxStore) async throws -> [any OutboxObserverSession] {
            _ = try await store.prepare()
            var sessions: [any OutboxObserverSession] = []
            for number in 0..<count {
                sessions.append(try #require(try await store.claim("w\(number)", beginningAt: 0)))
            }
            return sessions
        }

        /// Saves in all sessions at the same time. Returns the errors by the indices of their sessions.
        private func save(
            _ sessions: [any OutboxObserverSession], with store: SQLiteOutboxStore,
            behind other: OpenTransaction? = nil,
            _ change: @Sendable (Int) -> OutboxProgressChange
        ) async throws -> [Int: any Error] {
            let saves = sessions.enumerated().map { number, session in
                let change = change(number)
                return Task { try await session.save(change) }
            }
            if let other {
                await eventually(
                    "every session waits to write", { store.writes.pendingCount }, until: { $0 >= sessions.count })
                try await other.end()
            }
            var errors: [Int: any Error] = [:]
            for (number, save) in saves.enumerated() {
                if case .failure(let error) = await save.result { errors[number] = error }
            }
            return errors
        }

        @Test
        func
            `saving the progress of 100 observers takes at most two transactions, and fails for a removed observer`()
            async throws
        {
            let commits = Counter()
            let pool = try open(commits: commits)
            let store = SQLiteOutboxStore(pool)
            let sessions = try await claim(100, of: store)
            try await store.remove("w7")
            let other = try await OpenTransaction(in: pool)
            let before = commits.count
            let errors = try await save(sessions, with: store, behind: other) { number in
                let held = OutboxHeldRow(key: "k", position: Int64(number + 1), attempts: 1, error: "no")
                return OutboxProgressChange(cursor: 9, held: number % 2 == 0 ? [held] : [])
            }
            #expect(errors.keys.sorted() == [7])
            #expect((errors[7] as? OutboxError)?.code == .leaseLost)
            #expect(commits.count - before <= 2)
            let known = try await store.observers()
            #expect(known.count == 99 && known.allSatisfy { $0.cursor == 9 })
            #expect(known.map(\.held).reduce(0, +) == 50)
            #expect(try await store.observersWithHeldRows().count == 50)
            for session in sessions { await session.end(isClean: true) }
        }

        @Test
        func `a change that the database rejects throws only for its observer, and no part of the change is saved`()
            async throws
        {
            let pool = try open()
            let store = SQLiteOutboxStore(pool)
            let sessions = try await claim(20, of: store)
            try await pool.write { db in
                try db.execute(
                    sql: """
                        CREATE TRIGGER refusal BEFORE INSERT ON tidings_held WHEN NEW.key = 'bad'
                        BEGIN SELECT RAISE(ABORT, 'refused'); END
                        """)
            }
            let other = try await OpenTransaction(in: pool)
            let errors = try await save(sessions, with: store, behind: other) { number in
                let rows = ["good", number == 5 ? "bad" : "good"].enumerated().map { index, key in
                    OutboxHeldRow(key: key, position: Int64(index + 1))
                }
                return OutboxProgressChange(cursor: 2, held: rows)
            }
            #expect(errors.keys.sorted() == [5] && errors[5] is DatabaseError)
            let known = try await store.observers()
            for record in known {
                let saved = record.name == "w5" ? 0 : 2
                #expect(record.cursor == Int64(saved) && record.held == saved, "\(record.name)")
            }
            for session in sessions { await session.end(isClean: true) }
        }

        @Test func `if the database fails, saving throws for each observer, and the next attempt succeeds`()
            async throws
        {
            let pool = try open(patience: 0.05)
            let store = SQLiteOutboxStore(pool)
            let sessions = try await claim(30, of: store)
            // Another program's transaction outlasts this program's timeout.
            let other = try await OpenTransaction(in: try open())
            let errors = try await save(sessions, with: store) { _ in OutboxProgressChange(cursor: 3) }
            #expect(errors.count == 30)
            #expect(errors.values.allSatisfy { ($0 as? DatabaseError)?.resultCode == .SQLITE_BUSY })
            try await other.end()
            #expect(try await store.observers().allSatisfy { $0.cursor == 0 })
            for session in sessions { try await session.save(OutboxProgressChange(cursor: 4)) }
            #expect(try await store.observers().allSatisfy { $0.cursor == 4 })
            for session in sessions { await session.end(isClean: true) }
        }

        @Test func `finish waits until the progress of all observers is saved`() async throws {
            let pool = try open()
            let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), options: .quick)
            let worker = Worker()
            for number in 0..<50 {
                outbox.addObserver(worker, named: "w\(number)", on: .actor, for: Placed.self) { me, note in
                    try await me.handle(note)
                }
            }
            await eventually("all observers run") { !outbox.runningObservers.contains(where: { $0.state != .running }) }
            try await pool.write { try outbox.post(Placed(number: 1), in: $0) }
            // Until this transaction ends, it blocks all writes of the outbox.
            let other = try await OpenTransaction(in: pool)
            await worker.waitForAttempts(50)
            let finishing = Task { await outbox.finish(within: .seconds(600)) }
            await eventually("the outbox is finished") { outbox.core.isFinished }
            try await other.end()
            #expect(await finishing.value == [])
            let saved = try await pool.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM tidings_observer WHERE cursor = 1 AND clean = 1")
            }
            #expect(saved == 50)
        }

        private actor Follower {
            let reached: Reached
            let name: String
            init(_ name: String, _ reached: Reached) { (self.name, self.reached) = (name, reached) }
            func handle(_ note: Placed) { reached.note(note.number, by: name) }
        }

        private final class Reached: Sendable {
            private struct State {
                var last: [String: Int] = [:]
                var copies: [(path: String, last: [String: Int])] = []
                var isOn = true
            }
            private let state = Lock(State())

            func note(_ number: Int, by name: String) { state.withLock { $0.last[name] = number } }

            /// Copies the database files as a crash at this moment would leave them.
            func copy(_ folder: TestFolder) {
                state.withLock { state in
                    guard state.isOn else { return }
                    let path = folder.path("copy-\(state.copies.count)")
                    for suffix in ["", "-wal"] {
                        try? FileManager.default.copyItem(
                            atPath: folder.path("shop") + suffix, toPath: path + suffix)
                    }
                    state.copies.append((path, state.last))
                }
            }

            func end() -> [(path: String, last: [String: Int])] {
                state.withLock { state in
                    state.isOn = false
                    return state.copies
                }
            }
        }

        private func cursors(of path: String) async throws -> [String: Int] {
            try await DatabasePool(path: path).read { db -> [String: Int] in
                var cursors: [String: Int] = [:]
                guard try db.tableExists("tidings_observer") else { return cursors }
                for row in try Row.fetchAll(db, sql: "SELECT name, cursor FROM tidings_observer") {
                    cursors[row["name"]] = row["cursor"]
                }
                return cursors
            }
        }

        @Test func `after a crash while progress is saved, no observer skips a notification it hasn't handled`()
            async throws
        {
            let reached = Reached()
            var configuration = Configuration()
            configuration.prepareDatabase { [folder] db in
                if !db.configuration.readonly { db.trace { _ in reached.copy(folder) } }
            }
            let pool = try DatabasePool(path: folder.path("shop"), configuration: configuration)
            let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), options: .quick)
            let followers = (0..<8).map { Follower("w\($0)", reached) }
            for follower in followers {
                outbox.addObserver(follower, named: follower.name, on: .actor, for: Placed.self) { me, note in
                    me.handle(note)
                }
            }
            await eventually("all observers run") { !outbox.runningObservers.contains(where: { $0.state != .running }) }
            for number in 1...6 { try await pool.write { try outbox.post(Placed(number: number), in: $0) } }
            #expect(await outbox.finish(within: .seconds(600)) == [])
            let copies = reached.end()
            #expect(copies.count > 20)
            var saved: [String: Int] = [:]
            for copy in copies {
                let cursors = try await cursors(of: copy.path)
                for (name, cursor) in cursors {
                    #expect(
                        cursor <= copy.last[name] ?? 0,
                        "\(copy.path): \(name) would skip notifications that it hasn't handled")
                    #expect(cursor >= saved[name] ?? 0, "\(copy.path): progress that \(name) had saved is lost")
                    saved[name] = cursor
                }
            }
            #expect(try await outbox.registeredObservers().allSatisfy { $0.cursor == 6 })
            withExtendedLifetime(followers) {}
        }
    }
#endif
