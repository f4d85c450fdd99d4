import TidingsWire

extension RelayRoute {
    /// How a route consumes what comes. All but ``consumesUnobserved`` is about durable routes.
    ///
    /// ```swift
    /// let route = RelayRoute.durable(InvoiceDue.self, stream: "ORDERS", group: "printers").consuming {
    ///     $0.inProgressLimit = 8
    ///     $0.retryPolicy = [.seconds(10), .seconds(60)]
    /// }
    /// ```
    public struct ConsumerOptions: Hashable, Sendable {
        /// How many notifications may be with observers at a time. If it is `nil`: ``RelayOptions/inProgressLimit`` are, and of a group, or
        /// where replicas share, one is.
        public var inProgressLimit: Int?

        /// How many more are fetched ahead, to wait here. If it is `nil`: none, and one where programs share, so that the work spreads and a
        /// worker has the next piece when it has finished one.
        public var prefetchLimit: Int?

        /// How often a notification is delivered again after a failure, and after how long; ``RelayOptions/retryPolicy`` if it is `nil`.
        public var retryPolicy: RetryPolicy?

        /// The reasons for which a notification goes to the dead letters when the last retry has failed, too; `nil` for every reason. For
        /// another reason it is tried again, after the last delay each time, until it succeeds.
        public var deadLetterReasons: Set<RelayFault.Kind>?

        /// Whether notifications are taken though nobody observes them. Usually they are left to the stream, and to the other members of
        /// a group, transient ones, too, until somebody does. If they are taken, each is a ``RelayFault/Kind/unobserved``, is tried again, and is buried.
        ///
        /// Only the native center tells whether somebody does; over another center they are taken.
        public var consumesUnobserved = false

        /// Whether the replicas of the program share what the stream has, or each of them gets all.
        public var replicas = Replicas.share

        /// How far behind the route may be until ``NotificationRelay/health(_:)`` says so; ``RelayOptions/lagLimits`` if it is `nil`.
        public var lagLimits: RelayOptions.LagLimits?

        /// Where to go on if somebody has removed the consumer.
        public var resumption = Resumption.behindTheLast

        /// The usual settings.
        public init() {}
    }

    /// What the replicas of a program get, which have the same name. In a ``RelayRoute``'s group one member gets each notification, whatever
    /// its name.
    @nonexhaustive
    public enum Replicas: Hashable, Sendable {
        /// One of them gets each notification, in no order among them. What one of them posts, the program has had: no other gets it.
        case share
        /// Each gets all, in the order of the stream, also what the others post. ``RelayOptions/instance`` is set, and names the consumer.
        case each
    }

    /// Where a consumer goes on that somebody has removed, and that is made again. Either way it is a ``RelayFault/Kind/consumerLost``.
    @nonexhaustive
    public enum Resumption: Hashable, Sendable {
        /// Behind what was acknowledged. It is noted on the server, in a stream of its own, about every second; so some of what was
        /// acknowledged last may come again.
        case behindTheLast
        /// With the oldest that the stream has: everything comes again.
        case stored
    }

    /// The same route, with other settings for what it takes. They change nothing of one that only goes out.
    ///
    /// - Parameter change: Changes the settings.
    /// - Returns: The route.
    public func consuming(_ change: (inout ConsumerOptions) -> Void) -> RelayRoute {
        var route = self
        change(&route.consumerOptions)
        return route
    }
}
