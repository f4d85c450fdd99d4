#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A notification as the table of an outbox has it.
public struct OutboxRow: Hashable, Sendable {
    /// The number of the row: no other row of the table has it, or will have it.
    public var id: Int64

    /// The place of the row in the order in which durable observers get notifications.
    public var position: Int64

    /// The `RemoteNotification.wireName` of its type.
    public var name: String

    /// The version of the form in which it is encoded.
    public var version: Int

    /// The encoded notification.
    public var body: Data

    /// When it was stored, in milliseconds since 1970.
    public var storedAt: Int64

    /// Describes a row.
    ///
    /// - Parameters:
    ///   - id: The number of the row.
    ///   - position: Its place in the order.
    ///   - name: The name of its type.
    ///   - version: The version of its form.
    ///   - body: The encoded notification.
    ///   - storedAt: When it was stored, in milliseconds since 1970.
    public init(id: Int64, position: Int64, name: String, version: Int, body: Data, storedAt: Int64) {
        self.id = id
        self.position = position
        self.name = name
        self.version = version
        self.body = body
        self.storedAt = storedAt
    }
}

/// A notification that is encoded and not stored yet.
///
/// It is made before a transaction, so that the transaction is not kept open while the notification is encoded, and one that
/// cannot be stored ends no transaction.
public struct OutboxPost: Hashable, Sendable {
    /// The `RemoteNotification.wireName` of its type.
    public let name: String

    /// The version of the form in which it is encoded.
    public let version: Int

    /// The encoded notification.
    public let body: Data

    package init(name: String, version: Int, body: Data) {
        self.name = name
        self.version = version
        self.body = body
    }

    /// Encodes a notification.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - limit: The largest body, in bytes.
    /// - Throws: ``OutboxError/Code/invalidName``, ``OutboxError/Code/payloadTooLarge`` or ``OutboxError/Code/unencodable``.
    package init<N: RemoteNotification>(_ notification: N, limit: Int) throws(OutboxError) {
        if let reason = OutboxNames.refusal(ofType: N.wireName) { throw OutboxError(.invalidName, reason) }
        do { body = try notification.encoded() } catch {
            throw OutboxError(.unencodable, "\(N.wireName) cannot be encoded: \(error)")
        }
        if body.count > limit {
            throw OutboxError(.payloadTooLarge, "\(N.wireName) has \(body.count) bytes, of \(limit) allowed")
        }
        name = N.wireName
        version = N.wireVersion
    }
}

/// Some rows behind a position.
public struct OutboxRowPage: Hashable, Sendable {
    /// The rows, in their order.
    public var rows: [OutboxRow]

    /// The position up to which the store has looked: between the position that was asked for and this one, no other rows have
    /// the names that were asked for.
    public var end: Int64

    /// Describes a page.
    ///
    /// - Parameters:
    ///   - rows: The rows, in their order.
    ///   - end: The position up to which the store has looked.
    public init(rows: [OutboxRow], end: Int64) {
        self.rows = rows
        self.end = end
    }
}
