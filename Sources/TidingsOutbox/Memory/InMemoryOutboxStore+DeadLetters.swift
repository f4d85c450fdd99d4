extension InMemoryOutboxStore {
    /// Redelivers dead letters.
    public func redrive(for name: String, positions: [Int64]?) async throws -> Int {
        try change(name, positions) { held in
            held.isDeadLetter ? .some(OutboxHeldRow(key: held.key, position: held.position, error: held.error)) : held
        }
    }

    /// Removes the dead letters and waiting rows at the given positions, or all dead letters if `positions` is `nil`.
    public func drop(for name: String, positions: [Int64]?) async throws -> Int {
        try change(name, positions) { held in positions != nil || held.isDeadLetter ? nil : held }
    }

    private func change(_ name: String, _ positions: [Int64]?, _ change: (OutboxHeldRow) -> OutboxHeldRow?) throws
        -> Int
    {
        try access { state in
            let wanted = positions.map(Set.init)
            var changed: Set<Int64> = []
            for partition in state.partitions(of: name) {
                for (position, held) in state.observers[partition]?.held ?? [:]
                where wanted?.contains(position) != false && change(held) != held {
                    state.observers[partition]?.held[position] = change(held)
                    state.observers[partition]?.buriedAt[position] = nil
                    changed.insert(position)
                }
            }
            return changed.count
        }
    }

    /// Lists the rows that are retried or wait behind a retried row.
    public func waiting(for name: String, limit: Int) async throws -> [OutboxWaitingRow] {
        try held(for: name, areDead: false, limit: limit)
    }

    /// Lists the dead letters of a durable observer.
    public func deadLetters(for name: String, limit: Int) async throws -> [OutboxDeadLetter] {
        try held(for: name, areDead: true, limit: limit).map { OutboxDeadLetter($0) }
    }

    private func held(for name: String, areDead: Bool, limit: Int) throws -> [OutboxWaitingRow] {
        try access { state in
            let rows = Dictionary(state.rows.lazy.map { ($0.position, $0) }) { first, _ in first }
            let held = state.held(by: name, areDead: areDead).filter { rows[$0.position] != nil }
            return held.sorted { $0.position < $1.position }.prefix(limit).compactMap { held in
                rows[held.position].map {
                    OutboxWaitingRow(row: $0, attempts: held.attempts, due: held.due, error: held.error)
                }
            }
        }
    }

    /// Removes old dead letters. This store has no inbox.
    public func expire(deadLetters age: Duration?, inbox: Duration?, at time: Int64, limit: Int) async throws
        -> OutboxExpiry
    {
        try access { state in
            var expiry = OutboxExpiry()
            guard let age else { return expiry }
            for (name, observer) in state.observers {
                for held in observer.held.values where held.isDeadLetter {
                    guard let buriedAt = observer.buriedAt[held.position] else {
                        state.observers[name]?.buriedAt[held.position] = time
                        continue
                    }
                    guard buriedAt < time - age.milliseconds, expiry.deadLetters.values.reduce(0, +) < limit,
                        state.observers[name]?.held[held.position] != nil
                    else { continue }
                    // Several partitions may hold a row that no program can decode, so all copies are removed.
                    for copy in state.partitions(of: Partitions.observer(of: name))
                    where state.observers[copy]?.held[held.position]?.isDeadLetter == true {
                        state.observers[copy]?.held[held.position] = nil
                        state.observers[copy]?.buriedAt[held.position] = nil
                    }
                    expiry.deadLetters[Partitions.observer(of: name), default: 0] += 1
                }
            }
            return expiry
        }
    }
}
