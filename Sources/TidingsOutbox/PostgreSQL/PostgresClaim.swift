struct PostgresClaim: Sendable {
    struct Lease: Sendable {
        /// A number that increases with each lease for the observer, even if the observer is removed in between. With
        /// an earlier lease, progress can't be saved.
        let epoch: Int64
        var beginning: OutboxProgress
    }

    let observer: String
    let beginning: Int64
    /// Observers that other programs ran at the last query. The claim's statement also checks whether they are free.
    var others: Set<String> = []
    /// Receives the observers in ``others`` that no program runs.
    var free: @Sendable (Set<String>) -> Void = { _ in }

    static func perform(
        _ claims: [PostgresClaim], _ tables: PostgresTables, _ leases: PostgresLine, _ heart: PostgresHeart
    ) async throws -> [String: Lease] {
        let wanted = Set(claims.map(\.observer))
        let all = claims.reduce(wanted) { $0.union($1.others) }
        let rows = try await leases.run(
            """
            SELECT name, (owner IS NULL OR owner = $2::text OR NOT owner = ANY(
                ARRAY(SELECT id FROM \(tables.replica) WHERE \(tables.isLive)(id))))::text
            FROM \(tables.observer) WHERE name = ANY($1::text::text[])
            """, [PostgresTables.array(all.sorted()), heart.id])
        let busy = Set(rows.lazy.filter { $0[1] != "true" }.compactMap { $0[0] })
        let known = Set(rows.compactMap { $0[0] })
        // Only the first partition can be claimed before it is in the table. Dividing a partition adds the other ones.
        let free = all.subtracting(busy).filter { known.contains($0) || Partitions.index(of: $0) == 0 }
        for claim in claims { claim.free(claim.others.intersection(free)) }
        let new = claims.filter { !known.contains($0.observer) && free.contains($0.observer) }
        let names = wanted.intersection(free).sorted()
        if names.isEmpty { return [:] }
        if !new.isEmpty {
            try await leases.run(
                """
                INSERT INTO \(tables.observer)(name, cursor, clean, seen, abandoned, epoch)
                SELECT name, cursor, true, now(), false, \(PostgresTables.newEpoch)
                FROM unnest($1::text::text[], $2::text::bigint[]) v(name, cursor)
                ON CONFLICT DO NOTHING
                """,
                [
                    PostgresTables.array(new.map(\.observer)),
                    PostgresTables.array(new.map { "\($0.beginning)" }),
                ])
        }
        try await heart.beat()
        return try await take(names, tables, leases, heart)
    }

    private static func take(
        _ names: [String], _ tables: PostgresTables, _ leases: PostgresLine, _ heart: PostgresHeart
    ) async throws -> [String: Lease] {
        // With `SKIP LOCKED`, programs that claim at the same time don't wait for each other. If the advisory lock
        // isn't free, the observer is run by a program that was built for version 1 of the tables. Such a program holds
        // an advisory lock instead of a lease.
        let rows = try await leases.run(
            """
            UPDATE \(tables.observer) o
            SET owner = $2::text, epoch = o.epoch + 1, clean = false, abandoned = false, seen = now()
            FROM (
                SELECT o.name, o.clean, o.abandoned FROM \(tables.observer) o
                JOIN unnest($1::text::text[], $3::text::bigint[]) v(name, lock) ON v.name = o.name
                WHERE (o.owner IS NULL OR o.owner = $2::text OR NOT \(tables.isLive)(o.owner))
                    AND pg_try_advisory_xact_lock(v.lock)
                FOR UPDATE OF o SKIP LOCKED) old
            WHERE o.name = old.name
            RETURNING o.name, o.epoch::text, o.cursor::text, old.clean::text, old.abandoned::text, o.partitions::text
            """,
            [
                PostgresTables.array(names), heart.id,
                PostgresTables.array(names.map { "\(PostgresTables.versionOneLock(of: $0))" }),
            ])
        if rows.isEmpty { return [:] }
        // Until the new lease is committed, the previous program may confirm its own lease and handle newer rows. The
        // last position is therefore read after the commit, so that these rows are marked as possibly repeated.
        let last = try await leases.run("SELECT last::text FROM \(tables.head)").first?.int(0) ?? 0
        let held = try await held(rows.compactMap { $0[0] }, tables, leases)
        var given: [String: Lease] = [:]
        for row in rows {
            guard let name = row[0] else { continue }
            given[name] = Lease(
                epoch: row.int(1),
                beginning: OutboxProgress(
                    cursor: row.int(2), held: held[name] ?? [], wasInterrupted: row[3] == "false",
                    wasAbandoned: row[4] == "true", newest: last, partitions: Int(row.int(5))))
        }
        return given
    }

    static func held(_ names: [String], _ tables: PostgresTables, _ line: PostgresLine) async throws
        -> [String: [OutboxHeldRow]]
    {
        let rows = try await line.run(
            """
            SELECT observer, key, position::text, attempts::text, due::text, error FROM \(tables.held) h
            WHERE observer = ANY($1::text::text[]) AND NOT buried ORDER BY h.position
            """, [PostgresTables.array(names)])
        var held: [String: [OutboxHeldRow]] = [:]
        for row in rows {
            held[row[0] ?? "", default: []].append(
                OutboxHeldRow(
                    key: row[1] ?? "", position: row.int(2), attempts: Int(row.int(3)), due: row.int(4), error: row[5]))
        }
        return held
    }
}

struct PostgresClaims {
    /// The minimum time between queries for `refused` observers. It is long, because programs announce releases.
    static let pause = Duration.milliseconds(1_500)

    var here: Set<String> = []

    func partitions(of observer: String) -> [Int] {
        here.lazy.filter { Partitions.observer(of: $0) == observer }.map(Partitions.index).sorted()
    }

    var refused: Set<String> = []
    var askedAt = ContinuousClock.now

    /// `share` is the number of partitions that this program may run, or `nil` if it hasn't requested any. Returns the
    /// other observers to query in the same statement, or `nil` if no query is needed.
    mutating func want(_ observer: String, _ share: Int?) -> Set<String>? {
        if here.contains(observer) { return nil }
        if let share, partitions(of: Partitions.observer(of: observer)).count >= share { return nil }
        let isKnown = refused.contains(observer)
        if isKnown, askedAt.duration(to: .now) < Self.pause { return nil }
        here.insert(observer)
        if !isKnown { return [] }
        askedAt = .now
        return refused
    }
}

extension PostgresOutboxStore {
    /// Claims a partition of a durable observer for this program, unless the program already runs its share.
    public func claim(
        _ name: String, partition index: Int, of count: Int, beginningAt beginning: Int64
    ) async throws -> (any OutboxObserverSession)? {
        let observer = Partitions.name(name, index)
        // This heartbeat announces that the program requests partitions.
        if count > 1 || index > 0, !heart.shares.want(name) { try await heart.beat() }
        let share = heart.shares.share(of: name)
        guard let others = claimed.withLock({ $0.want(observer, share) }) else { return nil }
        var claim = PostgresClaim(observer: observer, beginning: beginning, others: others)
        claim.free = { [weak self] free in self?.claimed.withLock { $0.refused.subtract(free) } }
        do {
            guard var lease = try await claims(claim) else {
                claimed.withLock { claimed in
                    claimed.here.remove(observer)
                    if claimed.refused.isEmpty { claimed.askedAt = .now }
                    claimed.refused.insert(observer)
                }
                return nil
            }
            claimed.withLock { _ = $0.refused.remove(observer) }
            if lease.beginning.partitions < count {
                lease = try await PostgresDivision.perform(observer, lease, into: count, tables, leases)
                try await heart.beat()
            }
            return PostgresSession(
                store: self, observer: observer, epoch: lease.epoch, beginning: lease.beginning,
                connection: await leases.generation)
        } catch {
            unclaim(observer)
            throw error
        }
    }

    /// Returns the number of partitions at the last heartbeat.
    public func knownPartitions(of observer: String) -> Int? { heart.shares.partitions(of: observer) }

    /// Records that this program no longer runs an observer.
    public func leave(_ observer: String) async {
        if heart.shares.leave(observer) { try? await heart.beat() }
    }

    /// Records that, for a while, this program runs partitions of an observer only if no other program requests them.
    public func standAside(for observer: String) async {
        if heart.shares.standAside(for: observer, until: .now + PostgresShares.asideTime) { try? await heart.beat() }
    }

    /// Whether the program runs too many partitions and must release this one. The program keeps the partitions with
    /// the lowest indices.
    func isToRelease(_ name: String) -> Bool {
        let observer = Partitions.observer(of: name)
        guard let share = heart.shares.share(of: observer) else { return false }
        let index = Partitions.index(of: name)
        return claimed.withLock { claimed in
            claimed.partitions(of: observer).firstIndex(of: index).map { $0 >= share } ?? false
        }
    }

    func unclaim(_ observer: String) { claimed.withLock { _ = $0.here.remove(observer) } }
}
