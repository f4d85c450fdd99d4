public import Tidings

/// Something that an ``Inspector`` can look at: a native center, a message bus, or what ``Inspected`` was made of, as a relay.
public protocol Inspectable: Sendable {
    /// The way in which it is looked at.
    var inspected: Inspected { get }
}

/// A center, a bus or a relay, as an ``Inspector`` looks at it, with a name of your choice.
///
/// ```swift
/// let inspector = Inspector(of: center, Inspected(orders, named: "orders"), bus)
/// ```
///
/// It does not keep the center, the bus or the relay alive.
public struct Inspected: Inspectable {
    /// What is seen at one time.
    struct Sight: Sendable {
        var statistics: [NotificationStatistics.Row] = []
        var observations: [ObservationStatus] = []
        var ended: [EndedObservation] = []
        var consumers: [ObservationStatus] = []
        var lag: LagReport?

        /// What was counted of each type that the program knows.
        var rowsOfProgram: [NotificationSubject: Counts] {
            var rows: [NotificationSubject: Counts] = [:]
            for row in statistics { rows[row.subject.ofProgram, default: Counts()].add(row) }
            return rows
        }
    }

    /// What was counted of a type.
    struct Counts: Sendable {
        var posts = 0, deliveries = 0, drops = 0

        /// Adds a row. What was dropped is not among the deliveries.
        mutating func add(_ row: NotificationStatistics.Row) {
            posts += row.posts
            deliveries += max(0, row.deliveries - row.drops)
            drops += row.drops
        }
    }

    /// The name that it was given, or one that fits.
    let name: String

    /// The name of a bus's message type; `nil` for all else.
    let messages: String?

    /// The same as a subject of notifications.
    let type: NotificationSubject?

    /// Looks at it; `nil` if it is gone. A stranger's code may run in this: that which describes a sender.
    let look: @Sendable () -> Sight?

    /// How many posts and deliveries there were, where that is counted anyway.
    let events: @Sendable () -> Int

    /// Attaches a monitor; `nil` if it is gone.
    let attach: @Sendable (any NotificationMonitor, MonitorInterests) -> MonitorAttachment?

    /// Looks at a center. One that forwards shows the center to which it does; one of your own that does not forward shows
    /// nothing.
    ///
    /// - Parameters:
    ///   - center: The center.
    ///   - name: What it is called.
    public init(_ center: some TypedNotificationCenter, named name: String = "center") {
        self.name = name.plain
        messages = nil
        type = nil
        let reference = CenterReference(center.listing)
        look = {
            guard let center = reference.center else { return nil }
            let native = center as? NativeNotificationCenter
            return Sight(
                statistics: center.statistics.rows, observations: center.observations,
                ended: native?.endedObservations ?? [])
        }
        events = { reference.center?.statistics.rows.reduce(0) { $0 + $1.posts + $1.deliveries } ?? 0 }
        attach = { monitor, interests in reference.center?.attach(monitor, interests: interests) }
    }

    /// Looks at a bus.
    ///
    /// - Parameters:
    ///   - bus: The bus.
    ///   - name: What it is called; the name of its message type, if you do not say.
    public init<Message>(_ bus: MessageBus<Message>, named name: String? = nil) {
        let messages = NotificationSubject(Message.self).name.plain
        self.messages = messages
        type = NotificationSubject(Message.self)
        self.name = name?.plain ?? messages
        look = { [weak bus] in bus.map { Sight(consumers: $0.consumers) } }
        events = { 0 }
        attach = { [weak bus] monitor, interests in bus?.attach(monitor, interests: interests) }
    }

    /// Looks at a relay: how far behind its routes are.
    ///
    /// - Parameters:
    ///   - relay: The relay.
    ///   - name: What it is called; what the relay calls itself, if you do not say.
    public init(_ relay: some LagReporter, named name: String? = nil) {
        self.name = (name ?? relay.lag.name).plain
        messages = nil
        type = nil
        look = { [weak relay] in relay.map { Sight(lag: $0.lag) } }
        events = { 0 }
        attach = { _, _ in nil }
    }

    private init(_ other: Inspected, named name: String) {
        self.name = name
        messages = other.messages
        type = other.type
        look = other.look
        events = other.events
        attach = other.attach
    }

    /// Itself.
    public var inspected: Inspected { self }

    /// The same, with a number where a name occurs again.
    static func withDistinctNames(_ all: [Inspected]) -> [Inspected] {
        var names: [String: Int] = [:]
        return all.map { inspected in
            let number = names[inspected.name, default: 0] + 1
            names[inspected.name] = number
            return number == 1 ? inspected : Inspected(inspected, named: "\(inspected.name) \(number)")
        }
    }
}

extension NativeNotificationCenter: Inspectable {
    /// The center, with its observers.
    public var inspected: Inspected { Inspected(self) }
}

extension MessageBus: Inspectable {
    /// The bus, with its consumers.
    public var inspected: Inspected { Inspected(self) }
}

/// A center that lists its observers, held weakly.
private struct CenterReference: @unchecked Sendable {  // it refers to a center, and those are `Sendable`
    private weak let object: AnyObject?

    init(_ center: (any ListingCenter)?) { object = center as AnyObject? }

    var center: (any ListingCenter)? { object as? any ListingCenter }
}
