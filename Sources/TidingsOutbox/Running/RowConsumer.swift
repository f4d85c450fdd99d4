/// What a durable observer does with rows.
struct RowConsumer: Sendable {
    /// How an attempt has ended.
    enum Outcome: Sendable {
        case done
        case failed(String)
        /// It makes no sense to try again.
        case hopeless(OutboxFault.Kind, String)
        /// The observer has ended, and has not got it.
        case interrupted
    }

    /// Begins to deliver a row, and tells once how that ended, on any thread, perhaps before it returns.
    typealias Begin = @Sendable (_ note: @escaping @Sendable (Outcome) -> Void) -> Void

    /// What is to be done with a row.
    enum Action: Sendable {
        /// It is delivered.
        case deliver(@Sendable (_ attempt: Int, _ mayBeRepeated: Bool) -> Begin)
        /// Nothing, as it cannot be delivered.
        case hopeless(OutboxFault.Kind, String)
        /// What the consumer does with several at once.
        case together
    }

    /// A row that is ready to be handled.
    struct Work: Sendable {
        let row: OutboxRow
        let key: String
        let action: Action
    }

    /// The names of the rows that it wants.
    let names: Set<String>

    /// Whether a row that failed holds up all others.
    let isStrict: Bool

    /// Decodes a row.
    let prepare: @Sendable (OutboxRow) -> Work

    /// Handles several rows at once, in place of their ``Work``, and says how each ended; `nil` to handle one after the other.
    var handleTogether: (@Sendable ([Work]) async -> [Outcome])?

    /// Whether the observation has not ended.
    let isActive: @Sendable () -> Bool
}

/// Rows of which each is decoded once, when it is needed or somebody has the time.
struct PreparedRows {
    let rows: [OutboxRow]
    private let prepare: @Sendable (OutboxRow) -> RowConsumer.Work
    private var works: [RowConsumer.Work] = []

    init(_ rows: [OutboxRow], _ prepare: @escaping @Sendable (OutboxRow) -> RowConsumer.Work) {
        self.rows = rows
        self.prepare = prepare
    }

    subscript(index: Int) -> RowConsumer.Work {
        mutating get {
            prepare(upTo: index + 1)
            return works[index]
        }
    }

    /// Decodes the first rows, as far as there are as many.
    mutating func prepare(upTo count: Int) {
        while works.count < min(count, rows.count) { works.append(prepare(rows[works.count])) }
    }
}
