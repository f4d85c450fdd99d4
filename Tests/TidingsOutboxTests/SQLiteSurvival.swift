#if GRDB
    import Foundation
    import GRDB
    import Tidings
    import TidingsOutbox

    /// An SQLite file. The process continues when a simulated program dies, so the next program uses a copy of the file
    /// that was made at that moment.
    final class SQLiteSurvival: SurvivalDatabase {
        let pool: DatabasePool
        let typed: NotificationOutbox<SQLiteOutboxStore>
        private let inbox: SQLiteInbox
        private let folder: TestFolder
        private let path: String
        /// Another connection, which locks the file.
        private let other: DatabaseQueue
        private let isDead = Lock(false)
        var outbox: any SurvivalOutbox { typed }
        let hasInbox = true

        init(_ center: NativeNotificationCenter, in folder: TestFolder, _ path: String) async throws {
            self.folder = folder
            self.path = path
            var configuration = Configuration()
            configuration.busyMode = .timeout(0.02)
            pool = try DatabasePool(path: path, configuration: configuration)
            inbox = try await SQLiteInbox(in: pool)
            try await pool.write { db in
                try db.execute(sql: "CREATE TABLE IF NOT EXISTS effects(id INTEGER PRIMARY KEY, number INTEGER)")
            }
            typed = try await NotificationOutbox(in: pool, of: center, options: .quick)
            configuration.allowsUnsafeTransactions = true
            // This connection waits until the program has finished its current write, however slow the disk is. Then it
            // locks the database.
            configuration.busyMode = .timeout(600)
            other = try DatabaseQueue(path: path, configuration: configuration)
        }

        func post(_ number: Int) async throws { try await post(number, customer: "a") }

        func post(_ number: Int, customer: String) async throws {
            try await pool.write { [typed] db in
                try typed.post(Placed(number: number, customer: customer), in: db)
            }
        }

        func rollBack(_ number: Int) async throws {
            try? await pool.write { [typed] db in
                try typed.post(Placed(number: number), in: db)
                throw Refused()
            }
        }

        func effect(of stored: StoredNotification<Placed>) async throws {
            _ = try await pool.write { [inbox] db in
                try inbox.once(stored, in: db) {
                    try db.execute(
                        sql: "INSERT INTO effects(number) VALUES(?)", arguments: [stored.notification.number])
                }
            }
        }

        func effects() async throws -> [Int] {
            try await pool.read { try Int.fetchAll($0, sql: "SELECT number FROM effects ORDER BY id") }
        }

        func goAway() async throws {
            try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        }

        func comeBack() async throws { try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") } }

        /// Copies the file on the writer connection, so that nothing is written or checkpointed in the meantime.
        func die() async throws { try await pool.writeWithoutTransaction { _ in try copy() } }

        func dieBeforeCommit(of number: Int) async throws {
            try? await pool.write { [typed] db in
                try typed.post(Placed(number: number), in: db)
                try copy()
                throw Refused()
            }
        }

        func dieAfterCommit(of number: Int) async throws {
            try await pool.writeWithoutTransaction { [typed] db in
                try db.inTransaction {
                    try typed.post(Placed(number: number), in: db)
                    return .commit
                }
                try copy()
            }
        }

        private var nextPath: String { path + "-next" }

        private func copy() throws {
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: nextPath + suffix)
            }
            isDead.withLock { $0 = true }
        }

        func next(_ center: NativeNotificationCenter) async throws -> any SurvivalDatabase {
            try await SQLiteSurvival(center, in: folder, isDead.withLock { $0 } ? nextPath : path)
        }
    }
#endif
