#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The tables of an outbox in PostgreSQL.
enum PostgresSchema {
    static let version = 1

    /// Makes the tables, or brings them to the form of this version.
    ///
    /// - Returns: The identity of the tables.
    static func prepare(_ line: PostgresLine) async throws -> String {
        for _ in 1...100 {
            if let row = try await meta(line) {
                guard let known = row[0].flatMap(Int.init), known <= version else {
                    throw OutboxError(
                        .unknownSchema, "the tables are of version \(row[0] ?? "?"), and this program knows \(version)")
                }
                return row[1] ?? ""
            }
            try await line.run(versionOne, [])
        }
        throw OutboxError(.unknownSchema, "the tables cannot be made")
    }

    private static func meta(_ line: PostgresLine) async throws -> [String?]? {
        let isThere = try await line.run("SELECT to_regclass('tidings_meta')::text")
        if isThere.first?[0] == nil { return nil }
        return try await line.run("SELECT version::text, identity FROM tidings_meta").first
    }

    /// One statement, and so one transaction; of programs that start together, one at a time makes the tables.
    private static let versionOne = """
        DO $$ BEGIN
        PERFORM pg_advisory_xact_lock(7406143);
        CREATE TABLE IF NOT EXISTS tidings_outbox(
            id bigserial PRIMARY KEY, pos bigint, name text NOT NULL, version integer NOT NULL,
            encoding smallint NOT NULL, body text NOT NULL, at timestamptz NOT NULL DEFAULT now())
            WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);
        CREATE UNIQUE INDEX IF NOT EXISTS tidings_outbox_pos ON tidings_outbox(pos);
        CREATE INDEX IF NOT EXISTS tidings_outbox_new ON tidings_outbox(id) WHERE pos IS NULL;
        CREATE TABLE IF NOT EXISTS tidings_head(one integer PRIMARY KEY, last bigint NOT NULL);
        INSERT INTO tidings_head VALUES(1, 0) ON CONFLICT DO NOTHING;
        CREATE TABLE IF NOT EXISTS tidings_observer(
            name text PRIMARY KEY, cursor bigint NOT NULL, clean boolean NOT NULL, seen timestamptz NOT NULL,
            abandoned boolean NOT NULL) WITH (fillfactor = 50);
        CREATE TABLE IF NOT EXISTS tidings_held(
            observer text NOT NULL, position bigint NOT NULL, key text NOT NULL, attempts integer NOT NULL,
            due bigint NOT NULL, error text, buried boolean NOT NULL, PRIMARY KEY(observer, position));
        CREATE INDEX IF NOT EXISTS tidings_held_position ON tidings_held(position);
        CREATE TABLE IF NOT EXISTS tidings_inbox(
            source text NOT NULL, id text NOT NULL, at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY(source, id));
        CREATE OR REPLACE FUNCTION tidings_sequence_rows(OUT last bigint, OUT given bigint) LANGUAGE plpgsql AS $f$
        BEGIN
            given := 0;
            SELECT h.last INTO last FROM tidings_head h;
            IF NOT EXISTS(SELECT 1 FROM tidings_outbox WHERE pos IS NULL) THEN RETURN; END IF;
            SELECT h.last INTO last FROM tidings_head h WHERE one = 1 FOR UPDATE;
            UPDATE tidings_outbox o SET pos = tidings_sequence_rows.last + n.r FROM (
                SELECT id, row_number() OVER (ORDER BY id) r FROM (
                    SELECT id FROM tidings_outbox WHERE pos IS NULL ORDER BY id LIMIT 5000) z) n
            WHERE o.id = n.id;
            GET DIAGNOSTICS given = ROW_COUNT;
            last := last + given;
            UPDATE tidings_head h SET last = tidings_sequence_rows.last WHERE one = 1;
        END $f$;
        CREATE TABLE IF NOT EXISTS tidings_meta(version integer NOT NULL, identity text NOT NULL);
        INSERT INTO tidings_meta SELECT 1, gen_random_uuid()::text WHERE NOT EXISTS(SELECT 1 FROM tidings_meta);
        END $$
        """

    static let sequenceLimit = 5_000

    /// Gives positions to rows that have none, and says the last one and how many it gave. The function locks the head in a statement of
    /// its own: the next statement sees what was committed before the lock was had, so positions only grow.
    static let sequence = "SELECT last::text, given::text FROM tidings_sequence_rows()"

    /// Tells all programs the names of the rows that have got positions, and answers with them: so they wake only those who want some. A row
    /// that is removed already is none that anybody waits for. An empty text is for any rows, where a message has no room for the names.
    static let tell = """
        SELECT names, pg_notify('tidings_outbox', names)::text FROM (
            SELECT CASE WHEN octet_length(a.names) < 7000 THEN coalesce(a.names, '') ELSE '' END names FROM (
                SELECT string_agg(DISTINCT name, E'\\n') names FROM tidings_outbox
                WHERE pos > $1::text::bigint AND pos <= $2::text::bigint) a) b
        """

    /// The names of rows, as ``tell`` tells them; `nil` if they are not known.
    static func names(_ payload: String) -> Set<String>? {
        payload.isEmpty ? nil : Set(payload.split(separator: "\n").map(String.init))
    }

    /// A number for the advisory lock of an observer, the same in each program.
    static func lockNumber(of observer: String) -> Int64 {
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in "tidings outbox \(observer)".utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        return Int64(bitPattern: hash)
    }

    /// The text of an array. The elements are names and numbers, which have nothing that is escaped; but one may be named "null".
    static func array(_ elements: [String]) -> String { "{\(elements.map { "\"\($0)\"" }.joined(separator: ","))}" }
}
