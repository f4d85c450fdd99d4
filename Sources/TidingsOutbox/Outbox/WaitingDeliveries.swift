import Tidings

/// The deliveries that somebody keeps, by the numbers of their rows: each row is told to its own, however many there are.
final class WaitingDeliveries: RowWatcher {
    private struct Entry: Sendable {
        let id: ObjectIdentifier
        weak let delivery: StoredDelivery?
    }

    private struct State {
        /// Several have one number where a transaction was rolled back, and its number is given again.
        var byRow: [Int64: [Entry]] = [:]
        /// Those whose row has no number yet: they are told of each row, as it may be theirs.
        var unnumbered: [Entry] = []
    }

    private let state = Lock(State())

    func add(_ delivery: StoredDelivery) {
        let entry = Entry(id: ObjectIdentifier(delivery), delivery: delivery)
        state.withLock { $0.unnumbered.append(entry) }
    }

    /// Notes the number of the row of a delivery.
    func number(_ delivery: StoredDelivery, _ row: Int64) {
        let id = ObjectIdentifier(delivery)
        state.withLock { state in
            guard let index = state.unnumbered.firstIndex(where: { $0.id == id }) else { return }
            state.byRow[row, default: []].append(state.unnumbered.remove(at: index))
        }
    }

    /// Forgets a delivery.
    ///
    /// - Parameters:
    ///   - id: Its identity, as it is being released.
    ///   - row: The number of its row, if it has one.
    func remove(_ id: ObjectIdentifier, _ row: Int64?) {
        state.withLock { state in
            guard let row else { return state.unnumbered.removeAll { $0.id == id } }
            state.byRow[row]?.removeAll { $0.id == id }
            if state.byRow[row]?.isEmpty == true { state.byRow[row] = nil }
        }
    }

    func note(_ row: Int64, by observer: String, _ failure: (error: String, isDeadLetter: Bool)?) {
        // Told, and let go of, outside the lock: the last reference may be this one.
        let deliveries = state.withLock { state in
            (state.byRow[row] ?? []).compactMap(\.delivery) + state.unnumbered.compactMap(\.delivery)
        }
        for delivery in deliveries { delivery.note(row, by: observer, failure) }
    }
}
