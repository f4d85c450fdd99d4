#if GRDB
    import GRDB

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The tables of an outbox in SQLite.
    enum SQLiteSchema {
        static let version = 2

        /// Sets a busy timeout for a connection, unless it has its own. Without one, it would fail at once if another
        /// program writes.
        static func waitForOthers(_ db: Database) throws {
            if try Int.fetchOne(db, sql: "PRAGMA busy_timeout") == 0 {
                try db.execute(sql: "PRAGMA busy_timeout = 5000")
            }
        }

        /// Creates the tables, or migrates them to this version.
        ///
        /// - Returns: The identity of the tables.
        static func prepare(_ db: Database) throws -> String {
            try db.execute(
                sql: "CREATE TABLE IF NOT EXISTS tidings_meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
            let known = try String.fetchOne(db, sql: "SELECT value FROM tidings_meta WHERE key = 'version'")
            if let known, Int(known).map({ $0 > version }) ?? true {
                throw OutboxError(
                    .unknownSchema, "the tables have version \(known), and this program supports version \(version)")
            }
            if known == nil { try migrateToVersion1(db) }
            if known.flatMap(Int.init) ?? 1 < 2 { try migrateToVersion2(db) }
            return try String.fetchOne(db, sql: "SELECT value FROM tidings_meta WHERE key = 'identity'") ?? ""
        }

        private static func migrateToVersion1(_ db: Database) throws {
            // Without AUTOINCREMENT, the numbers of pruned rows would be reused, and a cursor would skip them.
            try db.execute(
                sql: """
                    CREATE TABLE tidings_outbox(
                        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, version INTEGER NOT NULL,
                        at INTEGER NOT NULL, body BLOB NOT NULL);
                    CREATE TABLE tidings_observer(
                        name TEXT PRIMARY KEY, cursor INTEGER NOT NULL, clean INTEGER NOT NULL, seen INTEGER NOT NULL,
                        abandoned INTEGER NOT NULL) WITHOUT ROWID;
                    CREATE TABLE tidings_held(
                        observer TEXT NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL, attempts INTEGER NOT NULL,
                        due INTEGER NOT NULL, error TEXT, buried INTEGER NOT NULL, PRIMARY KEY(observer, position))
                        WITHOUT ROWID;
                    CREATE INDEX tidings_held_position ON tidings_held(position);
                    CREATE TABLE tidings_inbox(
                        source TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY(source, id))
                        WITHOUT ROWID;
                    """)
            try db.execute(
                sql: "INSERT INTO tidings_meta VALUES('version', '1'), ('identity', ?)",
                arguments: [UUID().uuidString.lowercased()])
        }

        /// Version 2 divides observers into partitions.
        private static func migrateToVersion2(_ db: Database) throws {
            try db.execute(
                sql: """
                    ALTER TABLE tidings_observer ADD COLUMN partitions INTEGER NOT NULL DEFAULT 1;
                    UPDATE tidings_meta SET value = '2' WHERE key = 'version';
                    """)
        }
    }
#endif
