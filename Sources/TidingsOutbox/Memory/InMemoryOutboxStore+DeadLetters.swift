extension InMemoryOutboxStore {
    /// Removes dead letters.
    public func drop(for name: String, positions: [Int64]?) async throws -> Int {
        try access { state in
            let wanted = positions.map(Set.init)
            var dropped: Set<Int64> = []
            for partition in state.partitions(of: name) {
                for (position, held) in state.observers[partition]?.held ?? [:]
                where held.isDeadLetter && wanted?.contains(position) != false {
                    state.observers[partition]?.held[position] = nil
                    state.observers[partition]?.buriedAt[position] = nil
                    dropped.insert(position)
                }
            }
            return dropped.count
        }
    }

    /// Lists the rows that are retried, and those that wait behind them.
    public func waiting(for name: String, limit: Int) async throws -> [OutboxWaitingRow] {
        try access { state in
            let held = state.partitions(of: name).flatMap { partition in
                state.observers[partition]?.held.values.filter { !$0.isDeadLetter } ?? []
            }
            return held.sorted { $0.position < $1.position }.prefix(limit).compactMap { held in
                state.rows.first { $0.position == held.position }.map {
                    OutboxWaitingRow(row: $0, attempts: held.attempts, due: held.due, error: held.error)
                }
            }
        }
    }

    /// Removes old dead letters. There is no inbox in memory.
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
                    guard buriedAt < time - age.milliseconds, expiry.deadLetters.values.reduce(0, +) < limit else {
                        continue
                    }
                    state.observers[name]?.held[held.position] = nil
                    state.observers[name]?.buriedAt[held.position] = nil
                    expiry.deadLetters[Partitions.observer(of: name), default: 0] += 1
                }
            }
            return expiry
        }
    }
}
