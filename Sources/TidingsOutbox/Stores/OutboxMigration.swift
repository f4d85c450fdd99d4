/// One version of the tables of an outbox, as SQL that brings the tables of the previous version to this one.
///
/// A program migrates the tables itself when it opens an outbox. If it isn't permitted to do so, run the migrations
/// before the program is deployed.
public struct OutboxMigration: Hashable, Sendable {
    /// The version. Some numbers are skipped, because the versions of all databases are counted together.
    public let version: Int

    /// The statements, in one transaction.
    public let sql: String

    init(version: Int, statements: String, transaction: (begin: String, end: String)) {
        self.version = version
        sql = "\(transaction.begin)\n\(statements)\n\(transaction.end)\n"
    }
}
