import Tidings

/// A notification type that a relay carries, with its settings.
///
/// ```swift
/// let routes: [RelayRoute] = [
///     .transient(PriceChanged.self, .incoming),
///     .durable(OrderPlaced.self, .both, stream: "ORDERS"),
///     .durable(InvoiceDue.self, .incoming, stream: "ORDERS", group: "printers"),
/// ]
/// ```
///
/// A *transient* notification reaches the programs that are connected, at most once. A *durable* one is stored, and
/// delivered to each consumer at least once: after a failure, or when a program was lost, it is redelivered and marked
/// as such.
///
/// The members of a *group* share the work: one of them receives each notification. A route with a group is only
/// incoming. To give work to a group, call ``NotificationRelay/publish(_:id:headers:postingLocally:)``, or post in a
/// program that isn't in the group.
public struct RelayRoute: Sendable {
    enum Kind: Hashable, Sendable {
        case transient
        case durable(stream: String, consumer: String?, StartPosition)
    }

    let kind: Kind
    let direction: Direction
    let sender: String?
    let group: String?
    let type: any RelayedType
    let typeID: ObjectIdentifier
    let eventType: EventType
    let contentType: String
    let hasSenders: Bool
    var consumerOptions = ConsumerOptions()
    /// The partitions of notifications, or `nil` if there are none.
    private(set) var partitions: RoutePartitions?
    /// The part of a subject in place of the version, if only one is read.
    private(set) var part: String?
    private let versions: ClosedRange<Int>
    /// Whether a new consumer that starts after the existing messages of the stream is reported, because the route has
    /// no start position.
    private(set) var tellsOfSkipped = false
    var eventName: String { eventType.name }
    var isDurable: Bool { kind != .transient }
    var fullStream = FullStream.wait
    var retention: StreamRetention?

    private init<N: RemoteNotification>(
        _ type: N.Type, _ kind: Kind, _ direction: Direction, sender: String?, group: String?
    ) {
        self.kind = kind
        self.direction = group == nil ? direction : .incoming
        self.sender = sender
        self.group = group
        self.type = kind == .transient ? TransientType<N>() : DurableType<N>()
        typeID = ObjectIdentifier(type)
        eventType = N.eventType
        contentType = N.wireContentType
        hasSenders = N.hasSenders
        versions = N.readableVersions
    }

    /// Carries a notification type to the programs that are connected, at most once.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - direction: The direction.
    ///   - sender: The `RemoteNotification.remoteSender` of incoming notifications; `nil` for every sender. The server
    ///     filters them.
    ///   - group: The group in which one member receives each notification; `nil` if every program receives it.
    /// - Returns: The route.
    public static func transient<N: RemoteNotification>(
        _ type: N.Type, _ direction: Direction = .both, sender: String? = nil, group: String? = nil
    ) -> RelayRoute {
        RelayRoute(type, .transient, direction, sender: sender, group: group)
    }

    /// Carries a notification type through a stream, at least once.
    ///
    /// The relay creates the stream if it doesn't exist, and adds the type's subjects to it.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - direction: The direction.
    ///   - stream: The stream: letters, digits, `-` and `_`.
    ///   - consumer: The name of the program's position in the stream; the program's name if it is `nil`. The position
    ///     survives the end of the program.
    ///   - sender: The `RemoteNotification.remoteSender` of incoming notifications; `nil` for every sender. The server
    ///     filters them.
    ///   - group: The group in which one member receives each notification; `nil` if every program receives it.
    ///   - order: The order that a group keeps although many notifications are in progress; `nil` for none. An outgoing
    ///     route has the same order.
    ///   - beginning: The start position of a new consumer. If it is `nil`, the consumer starts with new messages, and
    ///     skipping the existing ones is a ``RelayFault/Kind/skipped``.
    /// - Returns: The route.
    public static func durable<N: RemoteNotification>(
        _ type: N.Type, _ direction: Direction = .both, stream: String, consumer: String? = nil,
        sender: String? = nil, group: String? = nil, ordered order: RelayOrder<N>? = nil,
        from beginning: StartPosition? = nil
    ) -> RelayRoute {
        var route = RelayRoute(
            type, .durable(stream: stream, consumer: consumer, beginning ?? .new), direction, sender: sender,
            group: group)
        route.tellsOfSkipped = beginning == nil
        route.partitions = order.map(RoutePartitions.init)
        return route
    }

    /// The routes that read the partitions of this one, each with one notification in progress, or the route itself
    /// without partitions.
    var parts: [RelayRoute] {
        guard let partitions, group != nil else { return [self] }
        return partitions.names(versions).map { name in
            var route = self
            route.part = name
            (route.consumerOptions.inProgressLimit, route.consumerOptions.prefetchLimit) = (1, 0)
            return route
        }
    }
}

extension RelayRoute {
    /// The direction of a route.
    public enum Direction: Hashable, Sendable {
        /// Posts in this program are sent to others.
        case outgoing
        /// Posts of other programs are received.
        case incoming
        /// Both directions. Notifications that are received aren't sent back.
        case both
    }
}

/// The settings of a durable route for its stream. They have no effect on other routes.
extension RelayRoute {
    /// The policy for notifications that their stream can't store now, because it has reached a limit or the server has
    /// no storage left.
    @nonexhaustive
    public enum FullStream: String, Hashable, CaseIterable, Sendable {
        /// They wait in the send buffer until the stream can store them, and later ones wait behind them. A
        /// ``RelayFault/Kind/streamFull`` is reported once. Notifications for other streams continue.
        case wait
        /// They are rejected, each with a ``RelayFault/Kind/streamFull``.
        case refuse
    }

    /// Sets the policy for notifications that the route's stream can't store now. By default they wait.
    ///
    /// - Parameter policy: The policy.
    /// - Returns: The route.
    public func whenFull(_ policy: FullStream) -> RelayRoute {
        var route = self
        route.fullStream = policy
        return route
    }

    /// Sets the time for which the route's stream keeps notifications; ``StreamRetention/standard`` by default. All
    /// routes of a stream that set it have to set the same.
    ///
    /// ```swift
    /// .durable(OrderPlaced.self, stream: "ORDERS").retention(StreamRetention(age: .seconds(30 * 24 * 3600), bytes: 10 << 30))
    /// ```
    ///
    /// - Parameter retention: The age and the limits.
    /// - Returns: The route.
    public func retention(_ retention: StreamRetention) -> RelayRoute {
        var route = self
        route.retention = retention
        return route
    }
}
