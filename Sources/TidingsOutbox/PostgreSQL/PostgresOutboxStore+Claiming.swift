extension PostgresOutboxStore {
    /// Takes a durable observer, so that no other program runs it.
    public func claim(_ observer: String, beginningAt beginning: Int64) async throws -> (any OutboxObserverSession)? {
        let number = try await leases.connect()
        // A lock of an earlier connection has ended with it.
        let isFree = claimed.withLock { claimed in
            if claimed[observer] == number { return false }
            claimed[observer] = number
            return true
        }
        if !isFree { return nil }
        do {
            guard let session = try await take(observer, beginning, number) else {
                unclaim(observer, number)
                return nil
            }
            return session
        } catch {
            unclaim(observer, number)
            throw error
        }
    }

    /// Notes that no session of this store has an observer by a connection any more.
    func unclaim(_ observer: String, _ number: Int) {
        claimed.withLock { if $0[observer] == number { $0[observer] = nil } }
    }

    /// - Returns: `nil` if another program has it.
    private func take(_ observer: String, _ beginning: Int64, _ number: Int) async throws -> PostgresSession? {
        let lock = PostgresSchema.lockNumber(of: observer)
        let answer = try await leases.run(
            "SELECT pg_try_advisory_lock($1::text::bigint)::text", ["\(lock)"], on: number)
        guard answer.first?[0] == "true" else { return nil }
        do {
            try await leases.run(
                """
                INSERT INTO tidings_observer(name, cursor, clean, seen, abandoned)
                VALUES($1::text, $2::text::bigint, true, now(), false) ON CONFLICT DO NOTHING
                """, [observer, "\(beginning)"], on: number)
            let rows = try await leases.run(
                """
                UPDATE tidings_observer o SET clean = false, abandoned = false, seen = now() FROM tidings_observer old
                WHERE o.name = $1::text AND old.name = o.name
                RETURNING o.cursor::text, old.clean::text, old.abandoned::text, (SELECT last::text FROM tidings_head)
                """, [observer], on: number)
            let row = rows.first ?? []
            let session = PostgresSession(
                store: self, number: number, lock: lock, observer: observer,
                beginning: OutboxProgress(cursor: 0, newest: 0))
            let saved = OutboxProgress(
                cursor: row.int(0), held: try await session.held(), wasInterrupted: row[1] == "false",
                wasAbandoned: row[2] == "true", newest: row.int(3))
            return PostgresSession(store: self, number: number, lock: lock, observer: observer, beginning: saved)
        } catch {
            _ = try? await leases.run("SELECT pg_advisory_unlock($1::text::bigint)::text", ["\(lock)"], on: number)
            throw error
        }
    }
}
