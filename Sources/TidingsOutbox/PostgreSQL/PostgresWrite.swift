/// A change of an observer's progress. One statement saves the changes of several observers. Changes of held rows are
/// rare, and ``PostgresSession`` saves each of them in a statement of its own.
struct PostgresWrite: Sendable {
    enum Change: Sendable {
        case nothing
        case advance(to: Int64)
        case end(isClean: Bool)
    }

    let observer: String
    let epoch: Int64
    let change: Change

    static func lost(_ observer: String) -> OutboxError {
        OutboxError(.leaseLost, "\(observer) was removed, or another program has taken it over")
    }

    /// If the lease of one observer is lost, the changes of the other observers are still saved.
    static func perform(_ writes: [PostgresWrite], _ tables: PostgresTables, _ leases: PostgresLine) async
        -> [Result<Void, any Error>]
    {
        var results: [Result<Void, any Error>] = writes.map { _ in .success(()) }
        do {
            let known = try await advance(writes, tables, leases)
            for index in writes.indices {
                guard case .advance = writes[index].change, !known.contains(writes[index].lease) else { continue }
                results[index] = .failure(lost(writes[index].observer))
            }
        } catch { results = writes.map { _ in .failure(error) } }
        await end(writes, tables, leases)
        return results
    }

    static func confirm(
        _ writes: [PostgresWrite], _ tables: PostgresTables, _ leases: PostgresLine, _ program: String
    ) async throws -> [Result<Void, any Error>] {
        let rows = try await leases.run(
            """
            SELECT o.name, o.epoch::text FROM \(tables.observer) o
            JOIN unnest($1::text::text[], $2::text::bigint[]) v(name, epoch)
                ON o.name = v.name AND o.epoch = v.epoch
            WHERE EXISTS(SELECT 1 FROM \(tables.replica) WHERE id = $3::text AND expires > clock_timestamp())
            """, arrays(of: writes) + [program])
        let known = Set(rows)
        return writes.map { known.contains($0.lease) ? .success(()) : .failure(lost($0.observer)) }
    }

    private var lease: [String?] { [observer, "\(epoch)"] }

    private static func arrays(of writes: [PostgresWrite]) -> [String?] {
        [PostgresTables.array(writes.map(\.observer)), PostgresTables.array(writes.map { "\($0.epoch)" })]
    }

    private static func arrays(of writes: [PostgresWrite], _ value: (Change) -> String?) -> [String?]? {
        let chosen = writes.compactMap { write in value(write.change).map { (write, $0) } }
        return chosen.isEmpty ? nil : arrays(of: chosen.map(\.0)) + [PostgresTables.array(chosen.map(\.1))]
    }

    private static func advance(
        _ writes: [PostgresWrite], _ tables: PostgresTables, _ leases: PostgresLine
    ) async throws -> Set<[String?]> {
        let values = arrays(of: writes) { if case .advance(let cursor) = $0 { "\(cursor)" } else { nil } }
        guard let values else { return [] }
        let rows = try await leases.run(
            """
            UPDATE \(tables.observer) o SET cursor = v.cursor, seen = now()
            FROM unnest($1::text::text[], $2::text::bigint[], $3::text::bigint[]) v(name, epoch, cursor)
            WHERE o.name = v.name AND o.epoch = v.epoch RETURNING o.name, o.epoch::text
            """, values)
        return Set(rows)
    }

    private static func end(_ writes: [PostgresWrite], _ tables: PostgresTables, _ leases: PostgresLine) async {
        let values = arrays(of: writes) { if case .end(let isClean) = $0 { "\(isClean)" } else { nil } }
        guard let values else { return }
        // Other programs are notified, so that one of them takes over at once.
        _ = try? await leases.run(
            """
            WITH e AS (
                UPDATE \(tables.observer) o SET owner = NULL, epoch = o.epoch + 1, clean = v.clean
                FROM unnest($1::text::text[], $2::text::bigint[], $3::text::boolean[]) v(name, epoch, clean)
                WHERE o.name = v.name AND o.epoch = v.epoch RETURNING 1)
            SELECT pg_notify($4::text, $5::text)::text FROM (SELECT count(*) FROM e) z
            """, values + [tables.channel, PostgresHeart.released])
    }
}
