/// Divides an observer's partitions among replicas, which are running programs. The table of replicas lists the
/// observers that each replica requests. Of `n` partitions, each of `m` replicas may run `n / m`, and the first `n % m`
/// replicas, in the order of their ids, may run one more. Only a replica with more than its share releases partitions.
final class PostgresShares: Sendable {
    /// The time for which a program that can't read a notification lets other programs run the observer.
    static let asideTime = Duration.seconds(60)

    private struct State {
        /// The share of each requested observer's partitions, or `nil` before the first heartbeat with the observer.
        var shares: [String: Int?] = [:]
        /// The observers that the program runs only if no other program requests them.
        var aside: [String: ContinuousClock.Instant] = [:]
        var partitions: [String: Int] = [:]
        var onChange: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    func onChange(_ closure: (@Sendable () -> Void)?) { state.withLock { $0.onChange = closure } }

    var wanted: [String] { state.withLock { $0.shares.keys.sorted() } }

    /// Returns the requested observers, without the observers that `standAside` currently leaves to other programs.
    func listed(at now: ContinuousClock.Instant) -> [String] {
        state.withLock { state in
            state.aside = state.aside.filter { $0.value > now }
            return state.shares.keys.filter { state.aside[$0] == nil }.sorted()
        }
    }

    /// Lets other programs run the observer until `end`. Returns false if this program hasn't requested its partitions.
    func standAside(for observer: String, until end: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            if state.shares[observer] == nil { return false }
            state.aside[observer] = end
            return true
        }
    }

    /// Requests partitions of an observer. Returns whether the program's share of them is known.
    func want(_ observer: String) -> Bool {
        state.withLock { state in
            if let share = state.shares[observer] { return share != nil }
            state.shares[observer] = .some(nil)
            return false
        }
    }

    func leave(_ observer: String) -> Bool {
        state.withLock { $0.shares.removeValue(forKey: observer) != nil }
    }

    /// The number of partitions that the program may run: 0 until its share is known, `nil` if it requests none.
    func share(of observer: String) -> Int? { state.withLock { $0.shares[observer].map { $0 ?? 0 } } }

    func partitions(of observer: String) -> Int? { state.withLock { $0.partitions[observer] } }

    func note(_ rows: [[String?]], of id: String) {
        var (earlier, all, partitions) = ([String: Int](), [String: Int](), [String: Int]())
        for row in rows {
            guard let observer = row[0] else { continue }
            if let replica = row[1] {
                all[observer, default: 0] += 1
                // Comparing strings doesn't depend on the locale, so all programs have the same order of replicas.
                if replica < id { earlier[observer, default: 0] += 1 }
            } else {
                partitions[observer] = Int(row.int(2))
            }
        }
        let onChange: (@Sendable () -> Void)? = state.withLock { state in
            var hasChanged = partitions != state.partitions
            state.partitions = partitions
            for (observer, old) in state.shares {
                // An observer that isn't in the table is new, and starts with one partition.
                let count = partitions[observer] ?? 1
                let replicas = 1 + (all[observer] ?? 0)
                let rank = earlier[observer] ?? 0
                var share = partitions[observer] == nil ? 1 : count / replicas + (rank < count % replicas ? 1 : 0)
                if state.aside[observer] != nil, replicas > 1 { share = 0 }
                if share != old { hasChanged = true }
                state.shares[observer] = share
            }
            return hasChanged ? state.onChange : nil
        }
        onChange?()
    }

    /// Returns the query for the rows of ``note(_:of:)``. `id` and `wants` are SQL parameters.
    static func question(_ tables: PostgresTables, _ id: String, _ wants: String) -> String {
        """
        SELECT w.name, r.id, NULL::text FROM \(tables.replica) r, unnest(r.wants) w(name)
        WHERE r.id <> \(id)::text AND w.name = ANY(\(wants)::text[]) AND \(tables.isLive)(r.id)
        UNION ALL
        SELECT split_part(o.name, '/', 1), NULL, count(*)::text FROM \(tables.observer) o
        WHERE split_part(o.name, '/', 1) = ANY(\(wants)::text[]) GROUP BY 1
        """
    }
}
