/// A component that exchanges notifications with a server and reports how far behind it is, such as a relay.
public protocol LagReporter: AnyObject, Sendable {
    /// The most recently known lag. It is read often, so the implementation mustn't wait for anything.
    var lag: LagReport { get }
}

/// The lag of a component that exchanges notifications with a server, at one point in time.
public struct LagReport: Hashable, Sendable {
    /// The lag of a route that receives notifications. All programs of a group report the same figures.
    public struct Route: Hashable, Sendable {
        /// The name of the notification on the wire.
        @export(implementation) public var notification: String

        /// The stream in which the notifications are stored.
        @export(implementation) public var stream: String

        /// The name of the group; without a group, the name of the route's consumer or of the program.
        @export(implementation) public var group: String

        /// The name of the consumer on the server; `nil` if the figures combine several consumers, such as those of the
        /// partitions of a group.
        @export(implementation) public var consumer: String?

        /// The number of notifications that haven't been delivered to any program yet.
        @export(implementation) public var waiting: Int

        /// The number of notifications that were delivered to programs and haven't been acknowledged yet.
        @export(implementation) public var inProgress: Int

        /// The number of notifications in progress that were delivered more than once.
        @export(implementation) public var redelivered: Int

        /// The number of dead letters.
        @export(implementation) public var deadLetters: Int

        /// How long the oldest unfinished notification has been stored, in whole seconds; `nil` if there is none.
        @export(implementation) public var oldestAge: Duration?

        /// Creates the lag of a route.
        ///
        /// - Parameters:
        ///   - notification: The name of the notification on the wire.
        ///   - stream: The stream in which the notifications are stored.
        ///   - group: The name of the group; without a group, the name of the route's consumer or of the program.
        ///   - consumer: The name of the consumer on the server; `nil` if the figures combine several consumers.
        ///   - waiting: The number of notifications that haven't been delivered to any program yet.
        ///   - inProgress: The number of notifications that were delivered and haven't been acknowledged yet.
        ///   - redelivered: The number of notifications in progress that were delivered more than once.
        ///   - deadLetters: The number of dead letters.
        ///   - oldestAge: How long the oldest unfinished notification has been stored; `nil` if there is none.
        public init(
            notification: String, stream: String, group: String, consumer: String? = nil, waiting: Int,
            inProgress: Int = 0, redelivered: Int = 0, deadLetters: Int = 0, oldestAge: Duration? = nil
        ) {
            self.notification = notification
            self.stream = stream
            self.group = group
            self.consumer = consumer
            self.waiting = waiting
            self.inProgress = inProgress
            self.redelivered = redelivered
            self.deadLetters = deadLetters
            self.oldestAge = oldestAge
        }
    }

    /// The name of the program on the wire.
    @export(implementation) public var name: String

    /// Whether there is a connection to the server.
    @export(implementation) public var isConnected: Bool

    /// The number of local notifications that wait to be stored, and their size in bytes.
    @export(implementation) public var outgoing: Int, outgoingBytes: Int

    /// The durable routes that receive notifications, as the server last reported them; empty before the first report.
    @export(implementation) public var routes: [Route]

    /// The reason why the server doesn't report the lag at present; `nil` if the server reports it, or wasn't queried.
    @export(implementation) public var error: String?

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - name: The name of the program on the wire.
    ///   - isConnected: Whether there is a connection to the server.
    ///   - outgoing: The number of local notifications that wait to be stored.
    ///   - outgoingBytes: The size of these notifications in bytes.
    ///   - routes: The durable routes that receive notifications.
    ///   - error: The reason why the server doesn't report the lag at present.
    public init(
        name: String, isConnected: Bool, outgoing: Int = 0, outgoingBytes: Int = 0, routes: [Route] = [],
        error: String? = nil
    ) {
        self.name = name
        self.isConnected = isConnected
        self.outgoing = outgoing
        self.outgoingBytes = outgoingBytes
        self.routes = routes
        self.error = error
    }
}
