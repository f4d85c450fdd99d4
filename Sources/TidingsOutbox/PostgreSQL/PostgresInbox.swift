public import TidingsWire

/// Makes the effect of something that may be delivered twice happen once, if the effect is in the same database.
///
/// ```swift
/// if try await inbox.once(received, in: transaction) { try await stock.take(received.notification, in: transaction) } { … }
/// ```
public struct PostgresInbox: Sendable {
    private let line: PostgresLine
    private let tables: PostgresTables

    /// Opens the inbox of a database, and makes its table if it is not there.
    ///
    /// - Parameters:
    ///   - connector: Makes connections to the database.
    ///   - schema: The schema of the tables, which is made if it is missing; `nil` for the one that the search path finds.
    /// - Throws: What the database says.
    public init(in connector: any OutboxPostgresConnector, schema: String? = nil) async throws {
        line = PostgresLine(connector, timeout: .seconds(10))
        tables = try await PostgresSchema(line: line, wanted: schema).prepare().tables
    }

    /// Does something in a transaction of yours, unless a transaction that was committed has done it.
    ///
    /// A program that is doing the same at this moment is waited for.
    ///
    /// - Parameters:
    ///   - delivery: What may be delivered twice.
    ///   - transaction: The transaction.
    ///   - effect: What to do. If it throws, roll the transaction back.
    /// - Returns: False if it was done before.
    /// - Throws: What the database says.
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

    /// Forgets what was done long ago. It must not be delivered any more by then.
    ///
    /// - Parameter age: How long ago.
    /// - Returns: How many identities were forgotten.
    /// - Throws: What the database says.
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
