/// A durable observer that this program runs, in PostgreSQL.
struct PostgresSession: OutboxObserverSession {
    private let store: PostgresOutboxStore
    private let leases: PostgresLine
    /// The connection that has the lock.
    private let number: Int
    private let lock: Int64
    private let observer: String
    let beginning: OutboxProgress

    init(store: PostgresOutboxStore, number: Int, lock: Int64, observer: String, beginning: OutboxProgress) {
        (self.store, leases) = (store, store.leases)
        (self.number, self.lock, self.observer, self.beginning) = (number, lock, observer, beginning)
    }

    func confirm() async throws { try await store.confirms(number) }

    /// One statement, and so one transaction. It is run on the connection that has the lock: if that has ended, nothing is saved.
    func save(_ change: OutboxProgressChange) async throws {
        if change.held.isEmpty && change.released.isEmpty {
            let advance = PostgresWrite.Change.advance(to: change.cursor)
            return try await store.writes(PostgresWrite(observer: observer, change: advance, number: number))
        }
        var values: [String?] = [
            observer, "\(change.cursor)", PostgresSchema.array(change.released.map(String.init)),
        ]
        var rows: [String] = []
        for row in change.held {
            let first = values.count + 1
            values += [
                "\(row.position)", row.key, "\(row.attempts)", "\(row.due)", row.error,
                row.isDeadLetter ? "true" : "false",
            ].map { $0?.replacing("\0", with: "") }
            rows.append(
                "($1::text, $\(first)::text::bigint, $\(first + 1)::text, $\(first + 2)::text::integer, "
                    + "$\(first + 3)::text::bigint, $\(first + 4)::text, $\(first + 5)::text::boolean)")
            // A statement has at most 65,535 parameters. More is held only where ``OutboxOptions/heldLimit`` was raised: then a crash in
            // between leaves rows that are held and lie behind the cursor, too, which whoever takes the observer knows.
            if rows.count == 10_900, row != change.held.last {
                _ = try await leases.run(
                    Self.insert(rows, after: Self.seen), [observer, nil, "{}"] + values.dropFirst(3), on: number)
                (rows, values) = ([], Array(values.prefix(3)))
            }
        }
        let advance = Self.advance + " RETURNING name"
        let delete = "DELETE FROM tidings_held WHERE observer = $1::text AND position = ANY($3::text::bigint[])"
        let statement =
            rows.isEmpty
            ? "WITH a AS (\(advance)), d AS (\(delete)) SELECT name FROM a"
            : "WITH a AS (\(advance)), d AS (\(delete)), i AS (\(Self.insert(rows, after: "a"))) SELECT name FROM a"
        let known = try await leases.run(statement, values, on: number)
        if known.isEmpty { throw OutboxError(.leaseLost, "\(observer) was removed") }
    }

    private static let advance =
        "UPDATE tidings_observer SET cursor = $2::text::bigint, seen = now() WHERE name = $1::text"

    private static let seen =
        "(SELECT name FROM tidings_observer WHERE name = $1::text AND $2::text IS NULL AND $3::text = '{}') s"

    private static func insert(_ rows: [String], after source: String) -> String {
        """
        INSERT INTO tidings_held(observer, position, key, attempts, due, error, buried)
        SELECT v.* FROM (VALUES \(rows.joined(separator: ", "))) v, \(source)
        ON CONFLICT (observer, position) DO UPDATE SET attempts = excluded.attempts, due = excluded.due,
            error = excluded.error, buried = excluded.buried
        """
    }

    func held() async throws -> [OutboxHeldRow] {
        try await leases.run(
            """
            SELECT key, position::text, attempts::text, due::text, error FROM tidings_held
            WHERE observer = $1::text AND NOT buried ORDER BY tidings_held.position
            """, [observer], on: number
        ).map { row in
            OutboxHeldRow(
                key: row[0] ?? "", position: row.int(1), attempts: Int(row.int(2)), due: row.int(3), error: row[4])
        }
    }

    func end(isClean: Bool) async {
        let end = PostgresWrite.Change.end(isClean: isClean, lock: lock)
        _ = try? await store.writes(PostgresWrite(observer: observer, change: end, number: number))
        store.unclaim(observer, number)
    }
}
