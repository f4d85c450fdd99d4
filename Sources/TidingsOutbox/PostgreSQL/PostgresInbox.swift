/// An inbox, which applies the effect of a repeated delivery once. The effect must be a change in the same database.
///
/// ```swift
/// if try await inbox.once(received, in: transaction) { try await stock.take(received.notification, in: transaction) } { … }
/// ```
public struct PostgresInbox: Sendable {
    private let line: PostgresLine
    private let tables: PostgresTables

    /// Opens the inbox of a database, and creates its table if it doesn't exist.
    ///
    /// - Parameters:
    ///   - connector: Opens connections to the database.
    ///   - schema: The schema of the tables, created if it doesn't exist, or `nil` for the one in the search path.
    /// - Throws: An error of the database.
    public init(in connector: any OutboxPostgresConnector, schema: String? = nil) async throws {
        line = PostgresLine(connector, timeout: .seconds(10))
        tables = try await PostgresSchema(line: line, wanted: schema).prepare().tables
    }

    /// Performs an effect in your transaction, unless a committed transaction has already performed it. If another
    /// transaction is performing it, the call waits until that transaction ends.
    ///
    /// - Parameters:
    ///   - delivery: The delivery that may be repeated.
    ///   - transaction: The transaction.
    ///   - effect: The effect. If it throws, roll the transaction back.
    /// - Returns: False if the effect was performed before.
    /// - Throws: An error of the effect or of the database.
    @discardableResult
    public func once(
        _ delivery: some IdentifiedDelivery, in transaction: any OutboxPostgresTransaction,
        do effect: () async throws -> Void
    ) async throws -> Bool {
        let isNew = try await transaction.run(
            """
            INSERT INTO \(tables.inbox)(source, id) VALUES($1::text, $2::text) ON CONFLICT DO NOTHING RETURNING 1::text
            """, [delivery.deliverySource, delivery.deliveryID])
        if isNew.isEmpty { return false }
        try await effect()
        return true
    }

    /// Removes the identities of old deliveries. If such a delivery is repeated later, its effect happens again.
    ///
    /// - Parameter age: The minimum age.
    /// - Returns: The number of removed identities.
    /// - Throws: An error of the database.
    @discardableResult
    public func prune(olderThan age: Duration) async throws -> Int {
        try await line.run(
            """
            DELETE FROM \(tables.inbox) WHERE at < now() - make_interval(secs => $1::text::double precision / 1000)
            RETURNING 1::text
            """, ["\(age.milliseconds)"], within: .seconds(600)
        ).count
    }
}
