/// SQL that brings the tables of an outbox from one version to the next.
///
/// A program that opens an outbox migrates the tables. If the program lacks the permission, run the migrations before
/// the program starts.
public struct OutboxMigration: Hashable, Sendable {
    /// The version to which the migration leads. All stores use the same numbers, so a store may skip a version.
    public let version: Int

    /// The statements, including those that begin and commit the transaction.
    public let sql: String

    init(version: Int, statements: String, transaction: (begin: String, end: String)) {
        self.version = version
        sql = "\(transaction.begin)\n\(statements)\n\(transaction.end)\n"
    }
}
