#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A notification in the table of an outbox.
public struct OutboxRow: Hashable, Sendable {
    /// The number of the row, which no other committed row ever has.
    public var id: Int64

    /// The position of the row in the order in which durable observers receive notifications.
    public var position: Int64

    /// The `RemoteNotification.wireName` of the notification's type.
    public var name: String

    /// The version of the encoding.
    public var version: Int

    /// The encoded notification.
    public var body: Data

    /// The time at which the notification was stored, or became due if it was scheduled, in milliseconds since 1970.
    public var storedAt: Int64

    /// Creates a row.
    public init(id: Int64, position: Int64, name: String, version: Int, body: Data, storedAt: Int64) {
        self.id = id
        self.position = position
        self.name = name
        self.version = version
        self.body = body
        self.storedAt = storedAt
    }
}

/// A notification that is encoded but not stored yet.
///
/// Encode a notification before a transaction, so that encoding doesn't prolong it, and encoding errors don't end it.
public struct OutboxPost: Hashable, Sendable {
    /// The `RemoteNotification.wireName` of the notification's type.
    public let name: String

    /// The version of the encoding.
    public let version: Int

    /// The encoded notification.
    public let body: Data

    package init(name: String, version: Int, body: Data) {
        self.name = name
        self.version = version
        self.body = body
    }

    package init<N: RemoteNotification>(_ notification: N, limit: Int) throws(OutboxError) {
        if let reason = OutboxNames.refusal(ofType: N.wireName) { throw OutboxError(.invalidName, reason) }
        do { body = try notification.encoded() } catch {
            throw OutboxError(.unencodable, "\(N.wireName) cannot be encoded: \(error)")
        }
        if body.count > limit {
            throw OutboxError(.payloadTooLarge, "\(N.wireName) has \(body.count) bytes, and the limit is \(limit)")
        }
        name = N.wireName
        version = N.wireVersion
    }
}

/// The rows with certain names in a range of positions.
public struct OutboxRowPage: Hashable, Sendable {
    /// The rows, in the order of their positions.
    public var rows: [OutboxRow]

    /// The position up to which the store has searched. The page contains all rows with the requested names up to it.
    public var end: Int64

    /// Creates a page.
    public init(rows: [OutboxRow], end: Int64) {
        self.rows = rows
        self.end = end
    }
}
