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
/// A *transient* notification reaches each connected program at most once. A *durable* notification is stored, and
/// delivered to each consumer at least once. It is redelivered if an observer fails or a program is lost.
///
/// One member of a *group* receives each notification. A route with a group is always incoming. To give work to a
/// group, call ``NotificationRelay/publish(_:id:headers:postingLocally:)``, or post in a program that isn't a member.
public struct RelayRoute: Sendable {
    enum Kind: Hashable, Sendable {
        case transient
        case durable(stream: String, consumer: String?, StartPosition)
    }

    let kind: Kind
    let direction: Direction
    let sender: String?
    let group: String?
    let type: any RemoteNotification.Type
    let eventType: EventType
    let contentType: String
    let hasSenders: Bool
    var consumerOptions = ConsumerOptions()
    private(set) var partitions: RoutePartitions?
    /// The part of a subject that replaces the version, if the route reads one partition.
    private(set) var part: String?
    private let versions: ClosedRange<Int>
    /// Whether to report that a new consumer skips messages. True if the route has no start position.
    private(set) var tellsOfSkipped = false
    var typeID: ObjectIdentifier { ObjectIdentifier(type) }
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
        self.type = type
        eventType = N.eventType
        contentType = N.wireContentType
        hasSenders = N.hasSenders
        versions = N.readableVersions
    }

    /// Returns a route that delivers each notification of a type at most once, to the programs that are connected.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - direction: The direction.
    ///   - sender: The `RemoteNotification.remoteSender` by which the server filters, or `nil` for every sender.
    ///   - group: The group in which one member receives each notification, or `nil` if every program receives it.
    /// - Returns: The route.
    public static func transient<N: RemoteNotification>(
        _ type: N.Type, _ direction: Direction = .both, sender: String? = nil, group: String? = nil
    ) -> RelayRoute {
        RelayRoute(type, .transient, direction, sender: sender, group: group)
    }

    /// Returns a route that delivers each notification of a type at least once, through a stream.
    ///
    /// The relay creates the stream if it doesn't exist, and adds the type's subjects to it.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - direction: The direction.
    ///   - stream: The stream: letters, digits, `-` and `_`.
    ///   - consumer: The name of the consumer, which keeps the program's position; `nil` stands for the program's name.
    ///   - sender: The `RemoteNotification.remoteSender` by which the server filters, or `nil` for every sender.
    ///   - group: The group in which one member receives each notification, or `nil` if every program receives it.
    ///   - order: The order that a group keeps, or `nil` for none. Outgoing routes of the type need the same order.
    ///   - beginning: The position at which a new consumer starts. With `nil`, the consumer starts with new messages,
    ///     and a ``RelayFault/Kind/skipped`` reports that it skips existing ones.
    /// - Returns: The route.
    public static func durable<N: RemoteNotification>(
        _ type: N.Type, _ direction: Direction = .both, stream: String, consumer: String? = nil, sender: String? = nil,
        group: String? = nil, ordered order: RelayOrder<N>? = nil, from beginning: StartPosition? = nil
    ) -> RelayRoute {
        var route = RelayRoute(
            type, .durable(stream: stream, consumer: consumer, beginning ?? .new), direction, sender: sender,
            group: group)
        route.tellsOfSkipped = beginning == nil
        route.partitions = order.map(RoutePartitions.init)
        return route
    }

    func parts() throws(RelayFault) -> [RelayRoute] {
        guard let partitions, group != nil else { return [self] }
        let names = try partitions.names(versions, of: eventType)
        return names.map { name in
            var route = self
            route.part = name
            (route.consumerOptions.inProgressLimit, route.consumerOptions.prefetchLimit) = (1, 0)
            return route
        }
    }

    /// The direction of a route.
    public enum Direction: Hashable, Sendable {
        /// The posts of this program are sent to other programs.
        case outgoing
        /// The posts of other programs are received.
        case incoming
        /// Posts are sent and received. A notification that was received isn't sent back.
        case both
    }

    /// The policy for notifications whose stream has reached a limit, or whose server has no storage left.
    @nonexhaustive
    public enum FullStream: String, Hashable, CaseIterable, Sendable {
        /// Notifications wait in the send buffer until the stream has room. One ``RelayFault/Kind/streamFull`` is
        /// reported. Notifications for other streams are still sent.
        case wait
        /// Notifications are rejected, each with a ``RelayFault/Kind/streamFull``.
        case refuse
    }

    /// Returns a copy of the durable route with another policy for a full stream. The default is ``FullStream/wait``.
    ///
    /// - Parameter policy: The policy.
    /// - Returns: The route.
    public func whenFull(_ policy: FullStream) -> RelayRoute {
        var route = self
        route.fullStream = policy
        return route
    }

    /// Returns a copy of the durable route with another retention of its stream. The default is
    /// ``StreamRetention/standard``. All routes that set the retention of a stream must set the same one.
    ///
    /// ```swift
    /// .durable(OrderPlaced.self, stream: "ORDERS").retention(StreamRetention(age: .seconds(30 * 24 * 3600), bytes: 10 << 30))
    /// ```
    ///
    /// - Parameter retention: The limits of the stream.
    /// - Returns: The route.
    public func retention(_ retention: StreamRetention) -> RelayRoute {
        var route = self
        route.retention = retention
        return route
    }
}
