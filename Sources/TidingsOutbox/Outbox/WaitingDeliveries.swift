final class WaitingDeliveries: RowWatcher {
    private struct Entry: Sendable {
        let id: ObjectIdentifier
        weak let delivery: StoredDelivery?
    }

    /// Several deliveries have the same row number if a transaction was rolled back and SQLite used the number again. A
    /// delivery without a number receives the outcomes of all rows, because any row may be its own.
    private let state = Lock((byRow: [Int64: [Entry]](), unnumbered: [Entry]()))

    func add(_ delivery: StoredDelivery) {
        let entry = Entry(id: ObjectIdentifier(delivery), delivery: delivery)
        state.withLock { $0.unnumbered.append(entry) }
    }

    func number(_ delivery: StoredDelivery, _ row: Int64) {
        let id = ObjectIdentifier(delivery)
        state.withLock { state in
            guard let index = state.unnumbered.firstIndex(where: { $0.id == id }) else { return }
            state.byRow[row, default: []].append(state.unnumbered.remove(at: index))
        }
    }

    func remove(_ id: ObjectIdentifier, _ row: Int64?) {
        state.withLock { state in
            guard let row else { return state.unnumbered.removeAll { $0.id == id } }
            state.byRow[row]?.removeAll { $0.id == id }
            if state.byRow[row]?.isEmpty == true { state.byRow[row] = nil }
        }
    }

    func note(_ row: Int64, by observer: String, _ failure: (error: String, isDeadLetter: Bool)?) {
        // The loop runs outside the lock, because it may release a delivery, whose `deinit` takes the lock.
        let deliveries = state.withLock { state in
            (state.byRow[row] ?? []).compactMap(\.delivery) + state.unnumbered.compactMap(\.delivery)
        }
        for delivery in deliveries { delivery.note(row, by: observer, failure) }
    }
}
