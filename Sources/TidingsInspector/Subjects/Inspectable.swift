public import Tidings

/// A type that an ``Inspector`` can inspect: a native center, a message bus, or an ``Inspected`` value.
public protocol Inspectable: Sendable {
    /// The subject that represents this value in an inspector.
    var inspected: Inspected { get }
}

/// A subject of an ``Inspector``: a center, a bus, a relay or an outbox, with a name of your choice.
///
/// ```swift
/// let inspector = Inspector(of: center, Inspected(orders, named: "orders"), bus)
/// ```
///
/// The value doesn't keep the center, bus, relay or outbox alive.
public struct Inspected: Inspectable {
    struct Sight: Sendable {
        var statistics: [NotificationStatistics.Row] = []
        var observations: [ObservationStatus] = []
        var ended: [EndedObservation] = []
        var consumers: [ObservationStatus] = []
        var lag: LagReport?

        var rowsOfProgram: [NotificationSubject: Counts] {
            var rows: [NotificationSubject: Counts] = [:]
            for row in statistics { rows[row.subject.ofProgram, default: Counts()].add(row) }
            return rows
        }
    }

    struct Counts: Sendable {
        var posts = 0, deliveries = 0, drops = 0

        mutating func add(_ row: NotificationStatistics.Row) {
            posts += row.posts
            deliveries += max(0, row.deliveries - row.drops)
            drops += row.drops
        }
    }

    private(set) var name: String
    private(set) var messages: String?
    private(set) var type: NotificationSubject?
    /// Returns `nil` if the subject is gone. Don't call it while holding a lock: describing senders may run user code.
    let look: @Sendable () -> Sight?
    private(set) var events: @Sendable () -> Int = { 0 }
    let attach: @Sendable (any NotificationMonitor) -> MonitorAttachment?
    private(set) var stored: StoredBook?

    /// Creates a subject for a center. For a forwarding center, the inspector shows the observers of its underlying
    /// center. For any other custom center, it shows nothing.
    ///
    /// - Parameters:
    ///   - center: The center.
    ///   - name: The name of the center.
    public init(_ center: some TypedNotificationCenter, named name: String = "center") {
        self.name = name.plain
        let reference = CenterReference(center.listing)
        look = {
            guard let center = reference.center else { return nil }
            let native = center as? NativeNotificationCenter
            return Sight(
                statistics: center.statistics.rows, observations: center.observations,
                ended: native?.endedObservations ?? [])
        }
        events = { reference.center?.statistics.rows.reduce(0) { $0 + $1.posts + $1.deliveries } ?? 0 }
        attach = { monitor in reference.center?.attach(monitor) }
    }

    /// Creates a subject for a bus.
    ///
    /// - Parameters:
    ///   - bus: The bus.
    ///   - name: The name of the bus; by default the name of its message type.
    public init<Message>(_ bus: MessageBus<Message>, named name: String? = nil) {
        let messages = NotificationSubject(Message.self).name.plain
        self.messages = messages
        type = NotificationSubject(Message.self)
        self.name = name?.plain ?? messages
        look = { [weak bus] in bus.map { Sight(consumers: $0.consumers) } }
        attach = { [weak bus] monitor in bus?.attach(monitor) }
    }

    /// Creates a subject for a relay. The inspector shows the lag of its routes.
    ///
    /// - Parameters:
    ///   - relay: The relay.
    ///   - name: The name of the relay; by default its own name.
    public init(_ relay: some LagReporter, named name: String? = nil) {
        self.name = (name ?? relay.lag.name).plain
        look = { [weak relay] in relay.map { Sight(lag: $0.lag) } }
        attach = { _ in nil }
    }

    /// Creates a subject for an outbox. The inspector lists its stored notifications, and can redeliver and drop them.
    ///
    /// - Parameters:
    ///   - outbox: The outbox.
    ///   - name: The name of the outbox.
    public init(_ outbox: some StoredNotificationManager, named name: String = "outbox") {
        self.name = name.plain
        stored = StoredBook(outbox)
        look = { [weak outbox] in outbox.map { _ in Sight() } }
        attach = { _ in nil }
    }

    /// The value itself.
    public var inspected: Inspected { self }

    static func withDistinctNames(_ all: [Inspected]) -> [Inspected] {
        var names: [String: Int] = [:]
        return all.map { inspected in
            var inspected = inspected
            let number = names[inspected.name, default: 0] + 1
            names[inspected.name] = number
            if number > 1 { inspected.name += " \(number)" }
            return inspected
        }
    }
}

extension NativeNotificationCenter: Inspectable {
    /// A subject for the center, with the default name.
    public var inspected: Inspected { Inspected(self) }
}

extension MessageBus: Inspectable {
    /// A subject for the bus, with the default name.
    public var inspected: Inspected { Inspected(self) }
}

private struct CenterReference: @unchecked Sendable {  // it refers to a center, and centers are `Sendable`
    private weak let object: AnyObject?

    init(_ center: (any ListingCenter)?) { object = center as AnyObject? }

    var center: (any ListingCenter)? { object as? any ListingCenter }
}
