/// A store in memory, for tests.
///
/// ```swift
/// let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: recorder)
/// try outbox.post(OrderPlaced(number: 7))
/// ```
///
/// Several outboxes can share a store, like programs that share a database.
public final class InMemoryOutboxStore: OutboxStore {
    struct Observer {
        var cursor: Int64
        var held: [Int64: OutboxHeldRow] = [:]
        /// The time at which `expire` first found each dead letter, by position.
        var buriedAt: [Int64: Int64] = [:]
        var seenAt: Int64 = 0
        var isRunning = false
        var epoch = 0
        var isAbandoned = false
        var isClean = true
        var partitions = 1
    }

    struct State {
        var rows: [OutboxRow] = []
        var last: Int64 = 0
        /// The epoch of the last lease of any observer. It isn't kept in `observers`, so that an observer gets a new
        /// epoch even if it is removed and claimed again.
        var epoch = 0
        var scheduled: [OutboxScheduledRow] = []
        var scheduledCount: Int64 = 0
        var observers: [String: Observer] = [:]
        var listeners: [@Sendable (Set<String>?) -> Void] = []
        var failure: (any Error)?

        func partitions(of observer: String) -> [String] {
            observers.keys.filter { Partitions.observer(of: $0) == observer }
        }

        /// Returns each row once. A row that can't be decoded may be held by several partitions.
        func held(by observer: String, areDead: Bool) -> [OutboxHeldRow] {
            let all = partitions(of: observer).compactMap { observers[$0]?.held.values }.joined()
            let rows = all.filter { $0.isDeadLetter == areDead }.map { ($0.position, $0) }
            return Array(Dictionary(rows) { first, _ in first }.values)
        }
    }

    private let state = Lock(State())

    /// Creates an empty store.
    public init() {}

    /// The error that all operations throw, so that you can test failures. By default, it is `nil`.
    public var failure: (any Error)? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// Simulates a crash of all programs.
    package func interrupt() {
        state.withLock { state in
            for name in state.observers.keys {
                state.observers[name]?.isRunning = false
                state.observers[name]?.epoch += 1
            }
        }
    }

    func access<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return try body(&state)
        }
    }

    @discardableResult
    package func append(_ posts: [OutboxPost], at time: Int64 = 0) throws -> [Int64] {
        let (ids, listeners) = try access { state in
            var ids: [Int64] = []
            for post in posts {
                state.last += 1
                ids.append(state.last)
                state.rows.append(
                    OutboxRow(
                        id: state.last, position: state.last, name: post.name, version: post.version, body: post.body,
                        storedAt: time))
            }
            return (ids, state.listeners)
        }
        let names = Set(posts.map(\.name))
        for listener in listeners { listener(names) }
        return ids
    }

    /// Returns a fixed identity, and the last position.
    public func prepare() async throws -> (identity: String, last: Int64) { ("memory", try access { $0.last }) }
    /// Calls a closure when rows are stored.
    public func start(_ onChange: @escaping @Sendable (_ names: Set<String>?) -> Void) async {
        state.withLock { $0.listeners.append(onChange) }
    }
    /// Does nothing.
    public func stop() async {}
    /// The last position.
    public func last() async throws -> Int64 { try access { $0.last } }

    /// Claims a partition of a durable observer, so that no other program runs it.
    public func claim(
        _ observerName: String, partition index: Int, of count: Int, beginningAt beginning: Int64
    ) async throws -> (any OutboxObserverSession)? {
        let name = Partitions.name(observerName, index)
        return try access { state in
            guard var observer = state.observers[name] ?? (index == 0 ? Observer(cursor: beginning) : nil),
                !observer.isRunning
            else { return nil }
            if observer.partitions < count {
                let children = Partitions.children(of: index, dividing: observer.partitions, into: count)
                observer.partitions = count
                for child in children {
                    var new = observer
                    new.held = new.held.filter { Partitions.mayBelong($0.value.key, to: child, of: count) }
                    state.observers[Partitions.name(observerName, child)] = new
                }
                observer.held = observer.held.filter { Partitions.mayBelong($0.value.key, to: index, of: count) }
            }
            let saved = OutboxProgress(
                cursor: observer.cursor, held: observer.held.values.filter { !$0.isDeadLetter },
                wasInterrupted: !observer.isClean, wasAbandoned: observer.isAbandoned, newest: state.last,
                partitions: observer.partitions)
            observer.isRunning = true
            observer.isClean = false
            observer.seenAt = ElapsedClock.systemTime()
            observer.isAbandoned = false
            state.epoch += 1
            observer.epoch = state.epoch
            state.observers[name] = observer
            return Session(store: self, name: name, epoch: observer.epoch, beginning: saved)
        }
    }

    /// Reads rows after a position.
    public func page(after position: Int64, limit: Int, named names: Set<String>) async throws -> OutboxRowPage {
        try access { state in
            let first = state.rows.partitioningIndex { $0.position > position }
            let rows = state.rows[first...].prefix(limit)
            return OutboxRowPage(rows: rows.filter { names.contains($0.name) }, end: rows.last?.position ?? position)
        }
    }

    /// Reads the rows at the given positions.
    public func rows(at positions: [Int64]) async throws -> [OutboxRow] {
        let positions = Set(positions)
        return try access { state in state.rows.filter { positions.contains($0.position) } }
    }

    /// Lists the durable observers in the store.
    public func observers() async throws -> [DurableObserverRecord] {
        try access { state in
            let partitions = state.observers.map { name, observer in
                let live = observer.held.values.filter { !$0.isDeadLetter }
                let first = live.map(\.position).min() ?? .max
                return DurableObserverRecord(
                    name: name, cursor: observer.cursor, backlog: Int(max(0, state.last - observer.cursor)),
                    oldest: state.rows.first { $0.position > observer.cursor || $0.position == first }?.storedAt,
                    held: live.count,
                    deadLetters: Partitions.index(of: name) == 0 ? state.held(by: name, areDead: true).count : 0,
                    seenAt: observer.seenAt, isAbandoned: observer.isAbandoned)
            }
            return DurableObserverRecord.combined(partitions)
        }
    }

    /// Removes a durable observer.
    public func remove(_ name: String) async throws {
        try access { state in
            for partition in state.partitions(of: name) { state.observers[partition] = nil }
        }
    }

    /// Removes rows that no durable observer needs.
    public func prune(storedBefore time: Int64, abandonedBefore seen: Int64, limit: Int) async throws
        -> (removed: Int, abandoned: [String])
    {
        try access { state in
            var abandoned: Set<String> = []
            for (name, observer) in state.observers
            where !observer.isRunning && !observer.isAbandoned && observer.seenAt < seen {
                state.observers[name]?.isAbandoned = true
                abandoned.insert(Partitions.observer(of: name))
            }
            let live = state.observers.values.filter { !$0.isAbandoned }
            let cursor = live.map(\.cursor).min() ?? .max
            let held = Set(live.flatMap(\.held.keys))
            var removed = 0
            state.rows.removeAll { row in
                let isDone =
                    row.position <= cursor && row.storedAt < time && !held.contains(row.position) && removed < limit
                if isDone { removed += 1 }
                return isDone
            }
            return (removed, abandoned.sorted())
        }
    }

    private struct Session: OutboxObserverSession {
        let store: InMemoryOutboxStore
        let name: String
        let epoch: Int
        let beginning: OutboxProgress

        private func check(_ state: State) throws {
            if state.observers[name]?.epoch != epoch { throw OutboxError(.leaseLost, "\(name) is no longer claimed") }
        }

        func confirm() async throws { try store.access { try check($0) } }

        func save(_ change: OutboxProgressChange) async throws -> Set<Int64> {
            try store.access { state in
                try check(state)
                state.observers[name]?.cursor = change.cursor
                state.observers[name]?.seenAt = ElapsedClock.systemTime()
                for row in change.held { state.observers[name]?.held[row.position] = row }
                var dropped: Set<Int64> = []
                for row in change.updated {
                    if state.observers[name]?.held[row.position] == nil { dropped.insert(row.position) }
                    if !dropped.contains(row.position) { state.observers[name]?.held[row.position] = row }
                }
                for position in change.released { state.observers[name]?.held[position] = nil }
                return dropped
            }
        }

        func held() async throws -> [OutboxHeldRow] {
            let held = try store.access { $0.observers[name]?.held.values.filter { !$0.isDeadLetter } ?? [] }
            return held.sorted { $0.position < $1.position }
        }

        func end(isClean: Bool) async {
            store.state.withLock { state in
                guard state.observers[name]?.epoch == epoch else { return }
                state.observers[name]?.isRunning = false
                state.observers[name]?.isClean = isClean
            }
        }
    }
}
