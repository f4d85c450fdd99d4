package import Tidings

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
/// The relay knows this protocol alone, so that a program without an outbox has none of its code. What it asks for is the package's own:
/// a table of yours wraps an outbox and passes on its ``relaySource``.
public protocol RelaySource: Sendable {
    /// What a relay sends from.
    var relaySource: RelayedTable { get }
}

/// What a relay sends from: made by an outbox, and of use to relays alone.
public struct RelayedTable: Sendable {
    package let access: any TableAccess

    package init(_ access: any TableAccess) { self.access = access }
}

/// What an outbox does for a relay.
package protocol TableAccess: AnyObject, Sendable {
    /// Has a relay post what was committed, for types that it sends from the table: it leaves out its own observation of them.
    ///
    /// - Parameters:
    ///   - posts: The types, by `RemoteNotification.wireName`, with what posts a notification in a center.
    ///   - senders: The names of the senders that the relay is going to run.
    /// - Returns: Why that cannot be, in words; `nil` if it can.
    func reserve(_ posts: [String: PostPastRelay], for senders: [String]) -> String?

    /// Takes back what was reserved.
    func release(_ names: [String], _ senders: [String])

    /// Begins to have rows sent.
    ///
    /// - Parameters:
    ///   - sender: Under which name the table knows how far they are sent: a durable observer's.
    ///   - names: The types, by `RemoteNotification.wireName`.
    ///   - isActive: Whether somebody is there who sends.
    ///   - send: Sends rows, in order, and says what became of each.
    /// - Returns: What is running.
    func run(
        _ sender: String, _ names: Set<String>, while isActive: @escaping @Sendable () -> Bool,
        _ send: @escaping @Sendable ([TableRow]) async -> [TableRow.Outcome]
    ) -> any TableSender
}

/// Posts a committed notification in a center, to all observers but those that would send it a second time.
package typealias PostPastRelay =
    @Sendable (any RemoteNotification, any TypedNotificationCenter, SourcePlace) -> Void

/// What has rows sent.
package protocol TableSender: Sendable {
    /// Has it end when the rows that are being sent are settled.
    func stop()

    /// Returns when it has ended.
    func waitForEnd() async

    var status: TableSenderStatus { get }
}

/// How far a sender has come.
package struct TableSenderStatus: Sendable {
    /// How many positions are behind what was sent, of all types; 0 if another program sends. Of one that has ended, at most so many.
    package var backlog: Int
    /// How many rows are tried again.
    package var held: Int
    /// How many rows were buried in this program.
    package var deadLetters: Int
    /// Whether this program is the one that sends.
    package var isRunningHere: Bool

    package init(backlog: Int, held: Int, deadLetters: Int, isRunningHere: Bool) {
        self.backlog = backlog
        self.held = held
        self.deadLetters = deadLetters
        self.isRunningHere = isRunningHere
    }
}

/// A row that is to be sent.
package struct TableRow: Sendable {
    /// The identity of the notification, the same each time it is sent.
    package let id: String
    /// The `RemoteNotification.wireName` of its type.
    package let name: String
    /// The version of the form in which it is encoded.
    package let version: Int
    package let body: Data
    /// When it was stored, in milliseconds since 1970.
    package let storedAt: Int64

    package init(id: String, name: String, version: Int, body: Data, storedAt: Int64) {
        self.id = id
        self.name = name
        self.version = version
        self.body = body
        self.storedAt = storedAt
    }

    /// What became of a row.
    package enum Outcome: Sendable {
        /// A stream has it.
        case sent
        /// It was not sent, and may be later.
        case failed(String)
        /// It cannot be decoded, so it will never be sent.
        case undecodable(String)
        /// It has a version that this program does not read, so it will never be sent.
        case unknownVersion(String)
        /// It was refused for ever.
        case refused(String)
        /// Whoever sends has ended.
        case interrupted
    }
}
