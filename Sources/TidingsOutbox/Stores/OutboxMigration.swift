/// SQL that brings the tables of an outbox from one version to the next.
///
/// A program migrates the tables when it opens an outbox. If it lacks the permission, run the migrations first.
public struct OutboxMigration: Hashable, Sendable {
    /// The version to which the migration leads. All databases share the numbers, so a database may skip one.
    public let version: Int

    /// The statements, including those that begin and commit the transaction.
    public let sql: String

    init(version: Int, statements: String, transaction: (begin: String, end: String)) {
        self.version = version
        sql = "\(transaction.begin)\n\(statements)\n\(transaction.end)\n"
    }
}
