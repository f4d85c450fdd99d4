#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A table of stored notifications from which a relay sends: the `NotificationOutbox` of `TidingsOutbox`.
///
/// ```swift
/// let relay = try NotificationRelay(center, to: server, as: "shop", routes: routes, outbox: outbox)
/// ```
///
/// A relay depends only on this protocol, so a program without an outbox contains no code of `TidingsOutbox`. A type of
/// your own that wraps an outbox conforms by returning the outbox's ``relaySource``.
public protocol RelaySource: Sendable {
    /// The table from which a relay sends.
    var relaySource: RelayedTable { get }
}

/// A table from which a relay sends. Outboxes create it, and only relays use it.
public struct RelayedTable: Sendable {
    package let access: any TableAccess

    package init(_ access: any TableAccess) { self.access = access }
}

package protocol TableAccess: AnyObject, Sendable {
    /// Reserves types for a relay. `posts` has a closure for each `RemoteNotification.wireName` that the relay sends.
    /// When a notification is committed, the table calls the closure instead of posting the notification, because the
    /// relay's own observers would send a posted notification again. `senders` names the senders that the relay will
    /// run. Returns the reason why the types can't be reserved, or `nil`.
    func reserve(_ posts: [String: PostPastRelay], for senders: [String]) -> String?

    func release(_ names: [String], _ senders: [String])

    /// Starts sending rows of the types `names`, in order. `sender` names the durable observer that keeps the progress.
    func run(
        _ sender: String, _ names: Set<String>, while isActive: @escaping @Sendable () -> Bool,
        _ send: @escaping @Sendable ([TableRow]) async -> [TableRow.Outcome]
    ) -> any TableSender
}

/// Posts a committed notification in a center, to all observers except the relay's own, which would send it again.
package typealias PostPastRelay = @Sendable (any RemoteNotification, any TypedNotificationCenter, SourcePlace) -> Void

package protocol TableSender: Sendable {
    /// Stops the sender as soon as all rows that are being sent have an outcome.
    func stop()

    func waitForEnd() async

    /// The number of positions in the table after the last row that was sent, including the positions of rows of other
    /// types. The number is 0 if another program sends. After the sender has ended, another program may have sent some
    /// of these rows.
    var backlog: Int { get }
    var isRunningHere: Bool { get }
}

package struct TableRow: Sendable {
    /// The identity of the notification, which is the same each time it is sent.
    package let id: String
    /// The `RemoteNotification.wireName` of the notification's type.
    package let name: String
    package let version: Int
    package let body: Data
    /// The time at which the row was stored, in milliseconds since 1970.
    package let storedAt: Int64

    package init(id: String, name: String, version: Int, body: Data, storedAt: Int64) {
        self.id = id
        self.name = name
        self.version = version
        self.body = body
        self.storedAt = storedAt
    }

    package enum Outcome: Sendable {
        /// A stream has stored the notification.
        case sent
        /// The notification wasn't sent, and can be retried.
        case failed(String)
        /// The body can't be decoded, so the notification will never be sent.
        case undecodable(String)
        /// This program can't read the version, so the notification will never be sent.
        case unknownVersion(String)
        /// The notification was rejected permanently.
        case refused(String)
        /// The sender was stopped before a stream confirmed that it has stored the notification.
        case interrupted
    }
}
