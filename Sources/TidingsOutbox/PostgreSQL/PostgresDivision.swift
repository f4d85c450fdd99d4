enum PostgresDivision {
    /// Divides a partition in one transaction. Repeating the call has no effect.
    static func perform(
        _ name: String, _ lease: PostgresClaim.Lease, into count: Int, _ tables: PostgresTables, _ line: PostgresLine
    ) async throws -> PostgresClaim.Lease {
        let (observer, index) = (Partitions.observer(of: name), Partitions.index(of: name))
        let children = Partitions.children(of: index, dividing: lease.beginning.partitions, into: count)
        // Dead letters move as well, so that they are redelivered in their partition.
        let held = try await line.run(
            "SELECT position::text, key FROM \(tables.held) WHERE observer = $1::text", [name])
        let moved = held.filter { !Partitions.isUnreadable($0[1] ?? "") }.map { row in
            (row[0], Partitions.name(observer, Partitions.index(of: row[1] ?? "", among: count)))
        }
        let rows = try await line.run(
            """
            WITH p AS (
                UPDATE \(tables.observer) SET partitions = $3::text::integer
                WHERE name = $1::text AND epoch = $2::text::bigint RETURNING cursor),
            c AS (
                INSERT INTO \(tables.observer)(name, cursor, clean, seen, abandoned, partitions, epoch)
                SELECT v.name, p.cursor, $4::text::boolean, now(), false, $3::text::integer, \(PostgresTables.newEpoch)
                FROM p, unnest($5::text::text[]) v(name) ON CONFLICT DO NOTHING),
            u AS (
                INSERT INTO \(tables.held)(observer, position, key, attempts, due, error, buried, buried_at)
                SELECT v.name, h.position, h.key, h.attempts, h.due, h.error, h.buried, h.buried_at
                FROM p, \(tables.held) h, unnest($5::text::text[]) v(name)
                WHERE h.observer = $1::text AND h.key LIKE '?%' ON CONFLICT DO NOTHING),
            m AS (
                UPDATE \(tables.held) h SET observer = v.name
                FROM p, unnest($6::text::bigint[], $7::text::text[]) v(position, name)
                WHERE h.observer = $1::text AND h.position = v.position)
            SELECT count(*)::text, pg_notify($8::text, $9::text)::text FROM p
            """,
            [
                name, "\(lease.epoch)", "\(count)", "\(!lease.beginning.wasInterrupted)",
                PostgresTables.array(children.map { Partitions.name(observer, $0) }),
                PostgresTables.array(moved.map(\.0)), PostgresTables.array(moved.map(\.1)), tables.channel,
                PostgresHeart.released,
            ])
        if rows.first?[0] != "1" { throw PostgresWrite.lost(name) }
        var lease = lease
        lease.beginning.partitions = count
        lease.beginning.held.removeAll { !Partitions.mayBelong($0.key, to: index, of: count) }
        return lease
    }
}
