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

    /// A row that is ready to be handled.
    struct Work: Sendable {
        let row: StoredRow
        let key: String
        let run: @Sendable (_ attempt: Int, _ mayBeRepeated: Bool) async -> Outcome
    }

    /// The names of the rows that it wants.
    let names: Set<String>

    /// Whether a row that failed holds up all others.
    let isStrict: Bool

    /// Decodes a row.
    let prepare: @Sendable (StoredRow) -> Work

    /// Handles several rows at once, in place of their ``Work``, and says how each ended; `nil` to handle one after the other.
    var handleTogether: (@Sendable ([Work]) async -> [Outcome])?

    /// Whether the observation has not ended.
    let isActive: @Sendable () -> Bool
}
