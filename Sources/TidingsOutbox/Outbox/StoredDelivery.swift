/// A notification that was passed to an outbox. You can wait for its durable observers.
///
/// ```swift
/// let delivery = try await database.write { db in
///     try order.insert(db)
///     return try outbox.deliver(OrderPlaced(number: order.id), in: db)
/// }
/// let receipt = await delivery.receipt(within: .seconds(5))
/// ```
///
/// While the delivery exists, this program's observers report their outcomes to it, so it doesn't query the database.
public final class StoredDelivery: Sendable {
    private struct State {
        var row: Int64?
        var isCommitted = false
        /// The outcomes by observer and row. Until the delivery's own row is known, outcomes of all rows are kept.
        var outcomes: [String: [Int64: StoredReceipt.Outcome]] = [:]
        var signals: [Flag] = []
    }

    private let state = Lock(State())
    private let core: OutboxCore
    private let post: OutboxPost
    private let observers: [String: [ObserverRunner]]

    init(_ post: OutboxPost, _ core: OutboxCore) {
        self.core = core
        self.post = post
        let runners = core.runners(of: post.name)
        observers = Dictionary(grouping: runners, by: \.observer)
        core.deliveries.add(self)
        for runner in runners { runner.status.watch(core.deliveries) }
    }

    deinit { core.deliveries.remove(ObjectIdentifier(self), state.withLock { $0.row }) }

    func set(row: Int64) {
        state.withLock { state in
            state.row = row
            for name in state.outcomes.keys { state.outcomes[name] = state.outcomes[name]?.filter { $0.key == row } }
        }
        core.deliveries.number(self, row)
    }

    var row: Int64 { state.withLock { $0.row } ?? 0 }

    func confirm() {
        let signals = state.withLock { state in
            state.isCommitted = true
            return state.signals
        }
        for signal in signals { signal.set() }
    }

    func note(_ row: Int64, by observer: String, _ failure: (error: String, isDeadLetter: Bool)?) {
        let failed = failure.map { $0.isDeadLetter ? StoredReceipt.Outcome.deadLetter($0.error) : .failing($0.error) }
        let signals = state.withLock { state in
            guard state.row == nil || state.row == row else { return [Flag]() }
            state.outcomes[observer, default: [:]][row] = failed ?? .handled
            return state.signals
        }
        for signal in signals { signal.set() }
    }

    /// The identity of the notification: its ``StoredNotification/id``.
    public var id: String { "\(core.identity)-\(row)" }

    /// The outcomes that are known now.
    public var receipt: StoredReceipt {
        let (row, known) = state.withLock { ($0.isCommitted ? $0.row : nil, $0.outcomes) }
        var outcomes: [String: StoredReceipt.Outcome] = [:]
        for (observer, runners) in observers {
            let outcome = row.flatMap { known[observer]?[$0] } ?? .waiting
            outcomes[observer] =
                switch (outcome, place(of: runners)) {
                case (.handled, _), (.deadLetter, _): outcome
                case (_, .elsewhere): .elsewhere
                case (_, .ended): .ended
                default: outcome
                }
        }
        return StoredReceipt(id: id, outcomes: outcomes)
    }

    private func place(of runners: [ObserverRunner]) -> DurableObserverState {
        let places = runners.map(\.status.place)
        if runners.count == 1 || places.contains(.starting) { return places.count == 1 ? places[0] : .starting }
        if places.allSatisfy({ $0 == .ended }) { return .ended }
        let stored = OutboxRow(
            id: row, position: row, name: post.name, version: post.version, body: post.body, storedAt: 0)
        let key = runners[0].consumer.prepare(stored).key
        let responsible = runners.indices.first { index in
            places[index] != .elsewhere && places[index] != .ended
                && Partitions.index(of: key, among: runners[index].status.partitions) == runners[index].partition
        }
        return responsible.map { places[$0] } ?? .elsewhere
    }

    /// Waits until no durable observer of this program still has to handle the notification.
    ///
    /// An observer that waits for a retry still has to handle the notification. Observers of the center don't count.
    /// While the transaction is open, and after a rollback, observers that this program runs are `waiting`.
    ///
    /// - Parameter limit: The maximum time to wait. Cancelling the task also ends the wait.
    /// - Returns: The outcome of each durable observer.
    public func receipt(within limit: Duration) async -> StoredReceipt {
        let end = core.clock.now + limit
        let changed = Flag()
        state.withLock { $0.signals.append(changed) }
        defer { state.withLock { $0.signals.removeAll { $0 === changed } } }
        while true {
            let receipt = receipt
            let left = end - core.clock.now
            let isSettled = receipt.outcomes.values.allSatisfy { outcome in
                if case .failing = outcome { false } else { outcome != .waiting }
            }
            if isSettled || left <= .zero || Task.isCancelled { return receipt }
            // No signal reports that an observer has ended or runs elsewhere, so the observers' states are polled.
            await changed.wait(within: min(left, core.options.pollInterval), core.clock)
            changed.clear()
        }
    }
}
