extension PostgresOutboxStore {
    package func schedule(_ post: OutboxPost, _ time: DueTime, in transaction: any OutboxPostgresTransaction)
        async throws -> (id: Int64, delay: Duration)
    {
        let (at, after): (String?, String?) =
            switch time {
            case .at(let milliseconds): ("\(milliseconds)", nil)
            case .after(let milliseconds): (nil, "\(milliseconds)")
            }
        let (encoding, body) = Self.text(of: post)
        let rows = try await transaction.run(
            """
            INSERT INTO \(tables.scheduled)(name, version, encoding, body, due)
            VALUES($1::text, $2::text::integer, $3::text::smallint, $4::text, coalesce(
                to_timestamp($5::text::double precision / 1000),
                clock_timestamp() + make_interval(secs => $6::text::double precision / 1000)))
            RETURNING id::text, ceil(extract(epoch FROM due - clock_timestamp()) * 1000)::bigint::text
            """, [post.name, "\(post.version)", encoding, body, at, after])
        let row = rows.first ?? []
        return (row.int(0), .milliseconds(max(0, row.int(1))))
    }

    /// Lists the scheduled rows, in the order in which they are due.
    public func scheduled(limit: Int) async throws -> [OutboxScheduledRow] {
        try await work.run(
            """
            SELECT id::text, '0', name, version::text, encoding::text,
                (extract(epoch FROM at) * 1000)::bigint::text, body, (extract(epoch FROM due) * 1000)::bigint::text
            FROM \(tables.scheduled) s ORDER BY s.due, s.id LIMIT $1::text::bigint
            """, ["\(limit)"]
        ).map { OutboxScheduledRow(row: $0.storedRow, due: $0.int(7)) }
    }

    /// Makes a scheduled row due now.
    public func makeDue(_ id: Int64, at time: Int64) async throws -> Bool {
        try await !work.run(
            """
            UPDATE \(tables.scheduled) SET due = least(due, clock_timestamp()) WHERE id = $1::text::bigint
            RETURNING 1::text
            """, ["\(id)"]
        ).isEmpty
    }

    /// Removes a scheduled row.
    public func cancel(_ id: Int64) async throws -> Bool {
        try await !work.run(tables.cancel, ["\(id)"]).isEmpty
    }
}
