final class PostgresSession: OutboxObserverSession {
    private let store: PostgresOutboxStore
    private let observer: String
    private let epoch: Int64
    let beginning: OutboxProgress
    /// The lease connection's ``PostgresLine/generation``. If it changes, the database may have been unavailable.
    private let connection: Lock<Int>

    init(store: PostgresOutboxStore, observer: String, epoch: Int64, beginning: OutboxProgress, connection: Int) {
        self.connection = Lock(connection)
        (self.store, self.observer, self.epoch, self.beginning) = (store, observer, epoch, beginning)
    }

    var isWantedElsewhere: Bool { store.isToRelease(observer) }

    private func write(_ change: PostgresWrite.Change) -> PostgresWrite {
        PostgresWrite(observer: observer, epoch: epoch, change: change)
    }

    func confirm() async throws { try await store.confirms(write(.nothing)) }

    /// Saves a change with a single statement, so that the change is saved completely or not at all.
    func save(_ change: OutboxProgressChange) async throws -> Set<Int64> {
        if !change.changesHeld {
            try await store.writes(write(.advance(to: change.cursor)))
            return []
        }
        let rows = change.held + change.updated
        // If the connection was replaced, the observer may have failed because the database was unavailable. The
        // observer is called once more before a notification becomes a dead letter.
        let isBurial = rows.contains(where: \.isDeadLetter)
        if isBurial {
            let number = await store.leases.generation
            let known = connection.withLock { known in
                defer { known = number }
                return known
            }
            if known != number { throw OutboxError(.unreachable, "the connection to the database was replaced") }
        }
        let saved = try await store.leases.run(
            """
            WITH a AS (
                UPDATE \(store.tables.observer) SET cursor = $2::text::bigint, seen = now()
                WHERE name = $1::text AND epoch = $3::text::bigint RETURNING name),
            d AS (
                DELETE FROM \(store.tables.held) h USING a
                WHERE h.observer = a.name AND h.position = ANY($4::text::bigint[])),
            v AS (
                SELECT * FROM a, unnest($5::text::bigint[], $6::text::text[], $7::text::integer[],
                    $8::text::bigint[], $9::text::text[], $10::text::boolean[])
                    WITH ORDINALITY u(position, key, attempts, due, error, buried, number)),
            i AS (
                INSERT INTO \(store.tables.held)(observer, position, key, attempts, due, error, buried)
                SELECT name, position, key, attempts, due, error, buried FROM v WHERE number <= $11::text::bigint
                ON CONFLICT (observer, position) DO UPDATE SET attempts = excluded.attempts, due = excluded.due,
                    error = excluded.error, buried = excluded.buried, buried_at = NULL),
            u AS (
                UPDATE \(store.tables.held) h SET attempts = v.attempts, due = v.due, error = v.error,
                    buried = v.buried, buried_at = NULL
                FROM v WHERE h.observer = v.name AND h.position = v.position AND v.number > $11::text::bigint
                RETURNING h.position)
            SELECT NULL::text FROM a UNION ALL SELECT position::text FROM u
            """,
            [observer, "\(change.cursor)", "\(epoch)"]
                + [
                    change.released.map { "\($0)" }, rows.map { "\($0.position)" }, rows.map(\.key),
                    rows.map { "\($0.attempts)" }, rows.map { "\($0.due)" }, rows.map(\.error),
                    rows.map { $0.isDeadLetter ? "true" : "false" },
                ].map { (column: [String?]) in PostgresTables.array(column.map { $0?.replacing("\0", with: "") }) }
                + ["\(change.held.count)"],
            repeating: !isBurial)
        if saved.isEmpty { throw PostgresWrite.lost(observer) }
        return Set(change.updated.map(\.position)).subtracting(saved.map { $0.int(0) })
    }

    func held() async throws -> [OutboxHeldRow] {
        try await PostgresClaim.held([observer], store.tables, store.leases)[observer] ?? []
    }

    func end(isClean: Bool) async {
        // If this statement fails, the next session marks the rows after the saved cursor as possibly repeated.
        _ = try? await store.writes(write(.end(isClean: isClean)))
        store.unclaim(observer)
    }
}
