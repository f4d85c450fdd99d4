#if GRDB
    /// There is no migration 2, because that version exists only in PostgreSQL.
    enum SQLiteMigrations {
        static let all: [(version: Int, sql: String)] = [(1, first), (3, third)]
        // Without AUTOINCREMENT, the numbers of pruned rows would be reused, and cursors would skip the new rows.
        private static let first = """
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
            CREATE TABLE IF NOT EXISTS tidings_meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
            INSERT INTO tidings_meta VALUES('version', '1'), ('identity', lower(hex(randomblob(16))));
            """

        private static let third = """
            CREATE TABLE tidings_scheduled(
                id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, version INTEGER NOT NULL,
                at INTEGER NOT NULL, due INTEGER NOT NULL, body BLOB NOT NULL);
            CREATE INDEX tidings_scheduled_due ON tidings_scheduled(due);
            ALTER TABLE tidings_outbox ADD COLUMN scheduled INTEGER;
            ALTER TABLE tidings_held ADD COLUMN buried_at INTEGER;
            ALTER TABLE tidings_observer ADD COLUMN partitions INTEGER NOT NULL DEFAULT 1;
            INSERT OR REPLACE INTO tidings_meta VALUES('revision', '3');
            """
    }

    extension SQLiteOutboxStore {
        /// The migrations of the tables. A program that opens an outbox runs the same statements.
        public static var migrations: [OutboxMigration] {
            SQLiteMigrations.all.map { migration in
                OutboxMigration(
                    version: migration.version, statements: migration.sql, transaction: ("BEGIN IMMEDIATE;", "COMMIT;"))
            }
        }
    }
#endif
