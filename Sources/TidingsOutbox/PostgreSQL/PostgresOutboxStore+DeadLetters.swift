extension PostgresOutboxStore {
    /// Redelivers dead letters.
    public func redrive(for observer: String, positions: [Int64]?) async throws -> Int {
        try await change(
            "UPDATE \(tables.held) SET buried = false, attempts = 0, due = 0, buried_at = NULL WHERE buried", observer,
            positions)
    }

    /// Removes all dead letters or, with positions, the dead letters and waiting rows at these positions.
    public func drop(for observer: String, positions: [Int64]?) async throws -> Int {
        try await change("DELETE FROM \(tables.held) WHERE (buried OR $2::text IS NOT NULL)", observer, positions)
    }

    private func change(_ statement: String, _ observer: String, _ positions: [Int64]?) async throws -> Int {
        let rows = try await work.run(
            """
            \(statement) AND split_part(observer, '/', 1) = $1::text
                AND ($2::text IS NULL OR position = ANY($2::text::bigint[]))
            RETURNING position::text
            """, [observer, positions.map { PostgresTables.array($0.map(String.init)) }])
        return Set(rows).count
    }

    /// Lists the rows that are retried or wait behind a retried row.
    public func waiting(for observer: String, limit: Int) async throws -> [OutboxWaitingRow] {
        try await held(for: observer, areDead: false, limit: limit)
    }

    /// Lists the dead letters of a durable observer.
    public func deadLetters(for observer: String, limit: Int) async throws -> [OutboxDeadLetter] {
        try await held(for: observer, areDead: true, limit: limit).map { OutboxDeadLetter($0) }
    }

    private func held(for observer: String, areDead: Bool, limit: Int) async throws -> [OutboxWaitingRow] {
        try await work.run(
            """
            SELECT DISTINCT ON (h.position) o.id::text, o.pos::text, o.name, o.version::text, o.encoding::text,
                (extract(epoch FROM o.at) * 1000)::bigint::text, o.body, h.attempts::text, h.due::text, h.error
            FROM \(tables.held) h JOIN \(tables.outbox) o ON o.pos = h.position
            WHERE split_part(h.observer, '/', 1) = $1::text AND \(areDead ? "h.buried" : "NOT h.buried")
            ORDER BY h.position LIMIT $2::text::bigint
            """, [observer, "\(limit)"]
        ).map { OutboxWaitingRow(row: $0.storedRow, attempts: Int($0.int(7)), due: $0.int(8), error: $0[9]) }
    }

    /// Removes old dead letters and inbox identities, by the clock of the database.
    public func expire(deadLetters: Duration?, inbox: Duration?, at time: Int64, limit: Int) async throws
        -> OutboxExpiry
    {
        var expiry = OutboxExpiry()
        if let deadLetters {
            let rows = try await work.run(
                """
                WITH old AS (
                    SELECT split_part(h.observer, '/', 1) AS name, h.position FROM \(tables.held) h
                    WHERE h.buried AND h.buried_at < now() - make_interval(secs => $1::text::double precision / 1000)
                        -- Several partitions may hold the same row that no program can decode. The first copy counts.
                        AND NOT EXISTS(
                            SELECT 1 FROM \(tables.held) f
                            WHERE f.position = h.position AND f.buried AND f.observer < h.observer
                                AND split_part(f.observer, '/', 1) = split_part(h.observer, '/', 1))
                    LIMIT $2::text::bigint FOR UPDATE OF h SKIP LOCKED),
                gone AS (
                    DELETE FROM \(tables.held) h USING old
                    WHERE h.position = old.position AND split_part(h.observer, '/', 1) = old.name AND h.buried)
                SELECT name, count(*)::text FROM old GROUP BY name
                """, ["\(deadLetters.milliseconds)", "\(limit)"])
            for row in rows { expiry.deadLetters[row[0] ?? ""] = Int(row.int(1)) }
            try await work.run("UPDATE \(tables.held) SET buried_at = now() WHERE buried AND buried_at IS NULL")
        }
        if let inbox {
            let rows = try await work.run(
                """
                WITH old AS (
                    SELECT source, id FROM \(tables.inbox)
                    WHERE at < now() - make_interval(secs => $1::text::double precision / 1000)
                    LIMIT $2::text::bigint FOR UPDATE SKIP LOCKED),
                gone AS (
                    DELETE FROM \(tables.inbox) i USING old
                    WHERE i.source = old.source AND i.id = old.id RETURNING 1)
                SELECT count(*)::text FROM gone
                """, ["\(inbox.milliseconds)", "\(limit)"])
            expiry.inboxEntries = Int(rows.first?.int(0) ?? 0)
        }
        return expiry
    }
}
