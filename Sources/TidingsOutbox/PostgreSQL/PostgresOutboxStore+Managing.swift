extension PostgresOutboxStore {
    /// Lists the durable observers in the table.
    public func observers() async throws -> [DurableObserverRecord] {
        let last = try await last()
        // A row that no program can decode may be a dead letter of several partitions, so each position counts once.
        let partitions = try await work.run(
            """
            SELECT name, cursor::text, (extract(epoch FROM seen) * 1000)::bigint::text, abandoned::text,
                (SELECT count(*)::text FROM \(tables.held) WHERE observer = o.name AND NOT buried),
                coalesce(b.count, 0)::text,
                (SELECT (extract(epoch FROM at) * 1000)::bigint::text FROM \(tables.outbox) WHERE pos = least(
                    (SELECT min(position) FROM \(tables.held) WHERE observer = o.name AND NOT buried),
                    (SELECT pos FROM \(tables.outbox) WHERE pos > o.cursor ORDER BY pos LIMIT 1)))
            FROM \(tables.observer) o LEFT JOIN (
                SELECT split_part(observer, '/', 1) observer, count(DISTINCT position) FROM \(tables.held) WHERE buried
                GROUP BY 1) b ON b.observer = o.name
            """
        ).map { row in
            DurableObserverRecord(
                name: row[0] ?? "", cursor: row.int(1), backlog: Int(max(0, last - row.int(1))),
                oldest: row[6].flatMap(Int64.init), held: Int(row.int(4)), deadLetters: Int(row.int(5)),
                seenAt: row.int(2), isAbandoned: row[3] == "true")
        }
        return DurableObserverRecord.combined(partitions)
    }

    /// Returns the durable observers with held rows that aren't dead letters.
    public func observersWithHeldRows() async throws -> Set<String> {
        let rows = try await work.run("SELECT DISTINCT observer FROM \(tables.held) WHERE NOT buried")
        return Set(rows.compactMap { $0[0].map(Partitions.observer) })
    }

    /// Removes a durable observer with its dead letters.
    public func remove(_ observer: String) async throws {
        try await work.run(
            """
            WITH d AS (DELETE FROM \(tables.held) WHERE split_part(observer, '/', 1) = $1::text)
            DELETE FROM \(tables.observer) WHERE split_part(name, '/', 1) = $1::text
            """, [observer])
    }

    /// Removes rows that no durable observer needs.
    public func prune(storedBefore time: Int64, abandonedBefore seen: Int64, limit: Int) async throws
        -> (removed: Int, abandoned: [String])
    {
        let unseen = try await work.run(
            """
            SELECT name FROM \(tables.observer)
            WHERE NOT abandoned AND seen < to_timestamp($1::text::double precision / 1000) ORDER BY name
            """, ["\(seen)"]
        ).compactMap { $0[0] }
        var abandoned: [String] = []
        for name in unseen {
            // The wall clock may have jumped, so the statement also checks that no program runs the observer.
            let rows = try await work.run(
                """
                UPDATE \(tables.observer) SET abandoned = true
                WHERE name = $1::text AND NOT abandoned AND seen < to_timestamp($2::text::double precision / 1000)
                    AND NOT \(tables.isLive)(owner) AND pg_try_advisory_xact_lock($3::text::bigint)
                RETURNING name
                """, [name, "\(seen)", "\(PostgresTables.versionOneLock(of: name))"])
            if !rows.isEmpty { abandoned.append(name) }
        }
        let removed = try await work.run(
            """
            WITH old AS (
                SELECT id FROM \(tables.outbox)
                WHERE pos <= coalesce((SELECT min(cursor) FROM \(tables.observer) WHERE NOT abandoned), $3::text::bigint)
                    AND at < to_timestamp($1::text::double precision / 1000)
                    AND NOT EXISTS(
                        SELECT 1 FROM \(tables.held) h JOIN \(tables.observer) o ON o.name = h.observer
                        WHERE h.position = pos AND NOT o.abandoned)
                ORDER BY pos LIMIT $2::text::bigint FOR UPDATE SKIP LOCKED),
            gone AS (DELETE FROM \(tables.outbox) USING old WHERE \(tables.outbox).id = old.id RETURNING 1)
            SELECT count(*)::text FROM gone
            """, ["\(time)", "\(limit)", "\(Int64.max)"])
        return (Int(removed.first?.int(0) ?? 0), Set(abandoned.map(Partitions.observer)).sorted())
    }
}
