/// Something that takes notifications to a server and brings them from there, and knows how far behind it is: a relay.
public protocol LagReporter: AnyObject, Sendable {
    /// How far behind it is, as it was known last. It is called often, and waits for nothing.
    var lag: LagReport { get }
}

/// How far behind something is that takes notifications to a server and brings them from there, as it was known at one time.
public struct LagReport: Hashable, Sendable {
    /// How far behind a route is by which notifications come in. Those who take them together, as the members of a group, have the same
    /// figures.
    public struct Route: Hashable, Sendable {
        /// The name of the notification on the wire.
        @export(implementation) public var notification: String

        /// The stream in which it is stored.
        @export(implementation) public var stream: String

        /// Who takes it: the name of the group, of the consumer, or of the program.
        @export(implementation) public var group: String

        /// How many notifications were not given to anybody yet.
        @export(implementation) public var waiting: Int

        /// How many were given to programs, and not acknowledged yet.
        @export(implementation) public var inProgress: Int

        /// How many of those in progress were given more than once.
        @export(implementation) public var redelivered: Int

        /// How many are kept among the dead letters.
        @export(implementation) public var buried: Int

        /// For how long the oldest has been stored that is not done with, to the second; `nil` if there is none.
        @export(implementation) public var oldestAge: Duration?

        /// States how far behind a route is.
        ///
        /// - Parameters:
        ///   - notification: The name of the notification on the wire.
        ///   - stream: The stream in which it is stored.
        ///   - group: Who takes it.
        ///   - waiting: How many notifications were not given to anybody yet.
        ///   - inProgress: How many were given to programs, and not acknowledged yet.
        ///   - redelivered: How many of those were given more than once.
        ///   - buried: How many are kept among the dead letters.
        ///   - oldestAge: For how long the oldest has been stored that is not done with; `nil` if there is none.
        public init(
            notification: String, stream: String, group: String, waiting: Int, inProgress: Int = 0,
            redelivered: Int = 0, buried: Int = 0, oldestAge: Duration? = nil
        ) {
            self.notification = notification
            self.stream = stream
            self.group = group
            self.waiting = waiting
            self.inProgress = inProgress
            self.redelivered = redelivered
            self.buried = buried
            self.oldestAge = oldestAge
        }
    }

    /// What is behind: the name of the program on the wire.
    @export(implementation) public var name: String

    /// Whether it is connected.
    @export(implementation) public var isConnected: Bool

    /// How many notifications wait here to be stored, and how many bytes they have.
    @export(implementation) public var outgoing: Int, outgoingBytes: Int

    /// The durable routes that go in, as the server described them last; empty before it has.
    @export(implementation) public var routes: [Route]

    /// Why the server does not say how far behind they are now; `nil` if it does, or was not asked.
    @export(implementation) public var error: String?

    /// States how far behind something is.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - isConnected: Whether it is connected.
    ///   - outgoing: How many notifications wait here to be stored.
    ///   - outgoingBytes: How many bytes they have.
    ///   - routes: The durable routes that go in.
    ///   - error: Why the server does not say how far behind they are now.
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
