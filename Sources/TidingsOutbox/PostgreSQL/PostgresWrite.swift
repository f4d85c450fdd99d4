/// What a durable observer writes down in PostgreSQL on the connection that has its lock. That of several is one statement.
///
/// What is held is written by ``PostgresSession``, each observer's by itself, as it is seldom.
struct PostgresWrite: Sendable {
    enum Change: Sendable {
        /// Everything up to a position is handled or held.
        case advance(to: Int64)
        /// It is let go of.
        case end(isClean: Bool, lock: Int64)
    }

    let observer: String
    let change: Change
    /// The connection.
    let number: Int

    /// Writes down some of it.
    ///
    /// - Returns: What came of each. That one was removed is none of the others' concern.
    static func perform(_ writes: [PostgresWrite], on leases: PostgresLine) async -> [Result<Void, any Error>] {
        var results: [Result<Void, any Error>] = writes.map { _ in .success(()) }
        // One, unless the connection has been made anew meanwhile.
        for number in Set(writes.map(\.number)) {
            let indices = writes.indices.filter { writes[$0].number == number }
            do {
                let known = try await advance(indices.map { writes[$0] }, leases, number)
                for index in indices {
                    guard case .advance = writes[index].change, !known.contains(writes[index].observer) else {
                        continue
                    }
                    results[index] = .failure(OutboxError(.leaseLost, "\(writes[index].observer) was removed"))
                }
            } catch { for index in indices { results[index] = .failure(error) } }
            await end(indices.map { writes[$0] }, leases, number)
        }
        return results
    }

    /// - Returns: The observers that there are.
    private static func advance(_ writes: [PostgresWrite], _ leases: PostgresLine, _ number: Int) async throws
        -> Set<String>
    {
        var (names, cursors) = ([String](), [String]())
        for write in writes {
            guard case .advance(let cursor) = write.change else { continue }
            names.append(write.observer)
            cursors.append("\(cursor)")
        }
        if names.isEmpty { return [] }
        let rows = try await leases.run(
            """
            UPDATE tidings_observer o SET cursor = v.cursor, seen = now()
            FROM unnest($1::text::text[], $2::text::bigint[]) v(name, cursor) WHERE o.name = v.name RETURNING o.name
            """, [PostgresSchema.array(names), PostgresSchema.array(cursors)], on: number)
        return Set(rows.compactMap { $0[0] })
    }

    private static func end(_ writes: [PostgresWrite], _ leases: PostgresLine, _ number: Int) async {
        var (clean, locks) = ([String](), [String]())
        for write in writes {
            guard case .end(let isClean, let lock) = write.change else { continue }
            if isClean { clean.append(write.observer) }
            locks.append("\(lock)")
        }
        if !clean.isEmpty {
            // If it cannot be said, the next one marks what it gets as possibly repeated.
            _ = try? await leases.run(
                "UPDATE tidings_observer SET clean = true WHERE name = ANY($1::text::text[])",
                [PostgresSchema.array(clean)], on: number)
        }
        if locks.isEmpty { return }
        _ = try? await leases.run(
            "SELECT pg_advisory_unlock(l)::text FROM unnest($1::text::bigint[]) l", [PostgresSchema.array(locks)],
            on: number)
    }
}
