#if GRDB
    import GRDB

    /// In `tidings_meta`, `version` is the format that a program must support to use the tables, and `revision` is the
    /// last migration. A migration that only adds to the tables keeps `version`, so older programs can still use them.
    /// `version` becomes 2 when an observer is divided into partitions, which programs of version 1 don't support.
    enum SQLiteSchema {
        static let version = 2

        static func waitForOthers(_ db: Database) throws {
            if try Int.fetchOne(db, sql: "PRAGMA busy_timeout") == 0 {
                try db.execute(sql: "PRAGMA busy_timeout = 5000")
            }
        }

        static func prepare(_ db: Database) throws -> String {
            try db.execute(
                sql: "CREATE TABLE IF NOT EXISTS tidings_meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
            let known = try value("version", db)
            if let known, Int(known).map({ $0 > version }) ?? true {
                throw OutboxError(
                    .unknownSchema, "the tables have version \(known), and this program supports version \(version)")
            }
            let revision = try known.map { Int(try value("revision", db) ?? $0) ?? 0 } ?? 0
            for migration in SQLiteMigrations.all where migration.version > revision {
                try db.execute(sql: migration.sql)
            }
            return try value("identity", db) ?? ""
        }

        private static func value(_ key: String, _ db: Database) throws -> String? {
            try String.fetchOne(db, sql: "SELECT value FROM tidings_meta WHERE key = ?", arguments: [key])
        }
    }
#endif
