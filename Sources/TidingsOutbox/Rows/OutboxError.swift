/// An error of an outbox.
public struct OutboxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable {
        /// The notification can't be encoded. Nothing was stored.
        case unencodable
        /// The encoded notification is larger than the outbox allows. Nothing was stored.
        case payloadTooLarge
        /// The outbox has finished. Nothing was stored.
        case finished
        /// The name of a type, a durable observer or a schema can't be used, or is taken.
        case invalidName
        /// Another program has taken over the durable observer, or the observer was removed. Notifications that this
        /// program has handled since it last saved its progress may be repeated.
        case leaseLost
        /// The schema of the database is unknown, or has a version that this program doesn't support.
        case unknownSchema
        /// The database can't be reached.
        case unreachable
    }

    /// The kind of the error.
    public let code: Code

    /// The details as text.
    public let detail: String

    /// Creates an error.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The code and the details, on one line.
    public var description: String { "\(code.rawValue): \(detail)" }
}
