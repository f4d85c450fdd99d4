/// The handling of rows by a durable observer.
struct RowConsumer: Sendable {
    /// The outcome of an attempt.
    enum Outcome: Sendable {
        case done
        case failed(String)
        /// A retry can't succeed.
        case hopeless(OutboxFault.Kind, String)
        /// The observer has ended without receiving it.
        case interrupted
    }

    /// Starts delivering a row, and reports the outcome once, on any thread, perhaps before it returns.
    typealias Begin = @Sendable (_ note: @escaping @Sendable (Outcome) -> Void) -> Void

    /// The action for a row.
    enum Action: Sendable {
        /// The row is delivered.
        case deliver(@Sendable (_ attempt: Int, _ mayBeRepeated: Bool) -> Begin)
        /// No action, because it can't be delivered.
        case hopeless(OutboxFault.Kind, String)
        /// The consumer handles several rows at once.
        case together
    }

    /// A row that is ready to be handled.
    struct Work: Sendable {
        let row: OutboxRow
        let key: String
        let action: Action

        /// Whether the row belongs to a partition. A row that can't be decoded may belong to any.
        func belongs(to partition: Int, of count: Int) -> Bool {
            if case .hopeless = action { return true }
            return Partitions.index(of: key, among: count) == partition
        }
    }

    /// The names of the rows that the consumer wants.
    let names: Set<String>

    /// Whether a row that failed blocks all others.
    let isStrict: Bool

    /// Decodes a row.
    let prepare: @Sendable (OutboxRow) -> Work

    /// Handles several rows at once instead of by their ``Work``, and returns the outcome of each; `nil` to handle them
    /// one by one.
    var handleTogether: (@Sendable ([Work]) async -> [Outcome])?

    /// Whether the observation is active.
    let isActive: @Sendable () -> Bool
}

/// Rows that are each decoded once, when needed or in advance.
struct PreparedRows {
    let rows: [OutboxRow]
    private let prepare: @Sendable (OutboxRow) -> RowConsumer.Work
    private var works: [RowConsumer.Work] = []

    init(_ rows: [OutboxRow], _ prepare: @escaping @Sendable (OutboxRow) -> RowConsumer.Work) {
        self.rows = rows
        self.prepare = prepare
    }

    /// Keeps the rows of a partition. All of them are decoded for that.
    mutating func keep(partition: Int, of count: Int) {
        if count == 1 { return }
        let works = rows.map(prepare).filter { $0.belongs(to: partition, of: count) }
        self = PreparedRows(works.map(\.row), prepare)
        self.works = works
    }

    subscript(index: Int) -> RowConsumer.Work {
        mutating get {
            prepare(upTo: index + 1)
            return works[index]
        }
    }

    /// Decodes the first rows, up to the given number.
    mutating func prepare(upTo count: Int) {
        while works.count < min(count, rows.count) { works.append(prepare(rows[works.count])) }
    }
}
