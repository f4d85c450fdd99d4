extension InMemoryOutboxStore {
    package func schedule(_ post: OutboxPost, due: Int64, at time: Int64) throws -> Int64 {
        try access { state in
            state.scheduledCount += 1
            let row = OutboxRow(
                id: -state.scheduledCount, position: 0, name: post.name, version: post.version, body: post.body,
                storedAt: time)
            let index = state.scheduled.firstIndex { $0.due > due } ?? state.scheduled.endIndex
            state.scheduled.insert(OutboxScheduledRow(row: row, due: due), at: index)
            return row.id
        }
    }

    /// Assigns positions to the scheduled rows that are due.
    public func moveDue(at time: Int64) async throws -> (last: Int64, next: Duration?) {
        let (last, next, names, listeners) = try access { state in
            let due = state.scheduled.prefix { $0.due <= time }
            state.scheduled.removeFirst(due.count)
            for var scheduled in due {
                state.last += 1
                scheduled.row.position = state.last
                scheduled.row.storedAt = max(scheduled.due, scheduled.row.storedAt)
                state.rows.append(scheduled.row)
            }
            return (state.last, state.scheduled.first?.due, Set(due.map(\.row.name)), state.listeners)
        }
        if !names.isEmpty { for listener in listeners { listener(names) } }
        return (last, next.map { .milliseconds($0 - time) })
    }

    /// Lists the scheduled rows, in the order in which they are due.
    public func scheduled(limit: Int) async throws -> [OutboxScheduledRow] {
        try access { Array($0.scheduled.prefix(limit)) }
    }

    /// Makes a scheduled row due now.
    public func makeDue(_ id: Int64, at time: Int64) async throws -> Bool {
        try access { state in
            guard let index = state.scheduled.firstIndex(where: { $0.row.id == id }) else { return false }
            var scheduled = state.scheduled.remove(at: index)
            scheduled.due = min(scheduled.due, time)
            state.scheduled.insert(scheduled, at: state.scheduled.firstIndex { $0.due > scheduled.due } ?? index)
            return true
        }
    }

    /// Removes a scheduled row.
    public func cancel(_ id: Int64) async throws -> Bool {
        try access { state in
            let index = state.scheduled.firstIndex { $0.row.id == id }
            if let index { state.scheduled.remove(at: index) }
            return index != nil
        }
    }
}
