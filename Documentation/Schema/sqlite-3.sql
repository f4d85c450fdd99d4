-- Version 3 of the tables of an outbox in SQLite. Written by MigrationTests.
BEGIN IMMEDIATE;
CREATE TABLE tidings_scheduled(
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, version INTEGER NOT NULL,
    at INTEGER NOT NULL, due INTEGER NOT NULL, body BLOB NOT NULL);
CREATE INDEX tidings_scheduled_due ON tidings_scheduled(due);
ALTER TABLE tidings_outbox ADD COLUMN scheduled INTEGER;
ALTER TABLE tidings_held ADD COLUMN buried_at INTEGER;
ALTER TABLE tidings_observer ADD COLUMN partitions INTEGER NOT NULL DEFAULT 1;
INSERT OR REPLACE INTO tidings_meta VALUES('revision', '3');
COMMIT;
