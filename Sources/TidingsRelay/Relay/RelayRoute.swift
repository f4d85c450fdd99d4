import Tidings

/// One notification type that a relay carries, and how.
///
/// ```swift
/// let routes: [RelayRoute] = [
///     .transient(PriceChanged.self, .incoming),
///     .durable(OrderPlaced.self, .both, stream: "ORDERS"),
///     .durable(InvoiceDue.self, .incoming, stream: "ORDERS", group: "printers"),
/// ]
/// ```
///
/// A *transient* notification reaches the programs that are connected, at most once. A *durable* one is stored, and delivered to
/// each consumer at least once: again after a failure, or when a program was lost, and then marked as such.
///
/// The members of a *group* share the work: one of them gets each notification. A route with a group only goes in: work is given
/// with ``NotificationRelay/publish(_:id:headers:postingLocally:)``, or posted in a program that is not in the group.
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
    /// How notifications are spread over partitions; `nil` if they are not.
    private(set) var partitions: RoutePartitions?
    /// The part of a subject in the place of the version, if only one is read.
    private(set) var part: String?
    private let versions: ClosedRange<Int>
    /// Whether it is told that a new consumer begins behind what the stream has, as nobody has said where to begin.
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
    ///   - direction: Which way.
    ///   - sender: The `RemoteNotification.remoteSender` whose notifications come in; `nil` for every sender. The server
    ///     filters them.
    ///   - group: The group of which one member gets each notification; `nil` if every program does.
    /// - Returns: The route.
    public static func transient<N: RemoteNotification>(
        _ type: N.Type, _ direction: Direction = .both, sender: String? = nil, group: String? = nil
    ) -> RelayRoute {
        RelayRoute(type, .transient, direction, sender: sender, group: group)
    }

    /// Carries a notification type through a stream, at least once.
    ///
    /// The relay makes the stream if there is none, and adds the type's subjects to it.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - direction: Which way.
    ///   - stream: The stream: letters, digits, `-` and `_`.
    ///   - consumer: What the program's place in the stream is called; the program's name if it is `nil`. It lasts when the
    ///     program ends.
    ///   - sender: The `RemoteNotification.remoteSender` whose notifications come in; `nil` for every sender. The server
    ///     filters them.
    ///   - group: The group of which one member gets each notification; `nil` if every program does.
    ///   - order: By what a group keeps notifications in order, though many are in progress; `nil` if it does not. A route that goes out has
    ///     the same order.
    ///   - beginning: Where to begin if the consumer is new. If it is `nil`, with what is stored from then on; that it skips what the stream
    ///     has already is then a ``RelayFault/Kind/skipped``.
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

    /// The routes that read the partitions of this one, each with one notification in progress; the route itself if it reads none.
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
    /// Which way a route goes.
    public enum Direction: Hashable, Sendable {
        /// What is posted here goes to the others.
        case outgoing
        /// What the others post comes here.
        case incoming
        /// Both ways. What comes does not go back.
        case both
    }
}
