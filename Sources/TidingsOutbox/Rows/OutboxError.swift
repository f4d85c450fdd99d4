/// Why an outbox refuses something, or cannot do it.
public struct OutboxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable {
        /// The notification cannot be encoded. Nothing was stored.
        case unencodable
        /// The encoded notification is larger than the outbox allows. Nothing was stored.
        case payloadTooLarge
        /// The outbox has finished and takes nothing more. Nothing was stored.
        case finished
        /// The name of a type, a durable observer or a schema can't be used, or is taken.
        case invalidName
        /// Another program has taken over the durable observer. What this one has handled since its last progress comes again.
        case leaseLost
        /// The database is of another kind, or of a version that this program does not know.
        case unknownSchema
        /// The database cannot be reached.
        case unreachable
    }

    /// What went wrong.
    public let code: Code

    /// The details, in words.
    public let detail: String

    /// Describes an error.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - detail: The details, in words.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The code and the details, in one line.
    public var description: String { "\(code.rawValue): \(detail)" }
}
