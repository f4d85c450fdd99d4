-- Version 1 of the tables of an outbox in SQLite. Written by MigrationTests.
BEGIN IMMEDIATE;
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
COMMIT;
