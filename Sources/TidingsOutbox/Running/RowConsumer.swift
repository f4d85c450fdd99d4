struct RowConsumer: Sendable {
    enum Outcome: Sendable {
        case done
        case failed(String)
        case hopeless(OutboxFault.Kind, String)
        /// The observer ended before it handled the row.
        case interrupted
    }

    /// Starts delivering a row. The outcome is reported once, on any thread, perhaps before the call returns.
    typealias Begin = @Sendable (_ note: @escaping @Sendable (Outcome) -> Void) -> Void

    enum Action: Sendable {
        case deliver(@Sendable (_ attempt: Int, _ mayBeRepeated: Bool) -> Begin)
        case hopeless(OutboxFault.Kind, String)
        case together
    }

    struct Work: Sendable {
        let row: OutboxRow
        let key: String
        let action: Action

        /// Returns the row's partition, or `nil` if the row can't be decoded. Such a row is held in all partitions.
        func index(among count: Int) -> Int? {
            if case .hopeless = action { return nil }
            return Partitions.index(of: key, among: count)
        }

        func belongs(to partition: Int, of count: Int) -> Bool { (index(among: count) ?? partition) == partition }
    }

    final class Identity: Sendable {}

    /// Identifies a consumer that several runners may share.
    let identity = Identity()
    let names: Set<String>
    let isStrict: Bool
    let prepare: @Sendable (OutboxRow) -> Work
    /// Handles several rows in one call. If this is `nil`, rows are handled one by one.
    var handleTogether: (@Sendable ([Work]) async -> [Outcome])?
    let isActive: @Sendable () -> Bool
    /// Ends the observation if the observer can't run under its name.
    var end: @Sendable () -> Void = {}
}

struct PreparedRows {
    let rows: [OutboxRow]
    private let prepare: @Sendable (OutboxRow) -> RowConsumer.Work
    private var works: [RowConsumer.Work] = []

    init(_ rows: [OutboxRow], _ prepare: @escaping @Sendable (OutboxRow) -> RowConsumer.Work) {
        self.rows = rows
        self.prepare = prepare
    }

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

    mutating func prepare(upTo count: Int) {
        while works.count < min(count, rows.count) { works.append(prepare(rows[works.count])) }
    }
}
