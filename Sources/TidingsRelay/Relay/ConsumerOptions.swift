import TidingsWire

extension RelayRoute {
    /// The settings with which a route consumes notifications. All except ``consumesUnobserved`` are for durable
    /// routes.
    ///
    /// ```swift
    /// let route = RelayRoute.durable(InvoiceDue.self, stream: "ORDERS", group: "printers").consuming {
    ///     $0.inProgressLimit = 8
    ///     $0.retryPolicy = [.seconds(10), .seconds(60)]
    /// }
    /// ```
    public struct ConsumerOptions: Hashable, Sendable {
        /// The maximum number of notifications that observers handle at a time. If it is `nil`, the limit is
        /// ``RelayOptions/inProgressLimit``, or one for a group and for replicas that share.
        public var inProgressLimit: Int?

        /// The number of additional notifications that are fetched in advance. If it is `nil`, there are none, or one
        /// if programs share, so that the work is spread evenly and a worker has the next notification when it has
        /// finished one.
        public var prefetchLimit: Int?

        /// The number of redeliveries after failures, and their delays; ``RelayOptions/retryPolicy`` if it is `nil`.
        public var retryPolicy: RetryPolicy?

        /// The reasons for which a notification becomes a dead letter when the last retry has failed, too; `nil` for
        /// every reason. For other reasons it is retried, after the last delay each time, until it succeeds.
        public var deadLetterReasons: Set<RelayFault.Kind>?

        /// Whether notifications are consumed although their type isn't observed. By default they are left to the
        /// stream and to the other members of a group, even transient ones, until there is an observer. If they are
        /// consumed, each is a ``RelayFault/Kind/unobserved``, is retried, and becomes a dead letter.
        ///
        /// Only the native center reports whether there are observers. With another center they are consumed.
        public var consumesUnobserved = false

        /// Whether the replicas of the program share the notifications of the stream, or each of them receives all.
        public var replicas = Replicas.share

        /// The maximum lag of the route before ``NotificationRelay/health(_:)`` reports it; ``RelayOptions/lagLimits``
        /// if it is `nil`.
        public var lagLimits: RelayOptions.LagLimits?

        /// The position at which to continue if the consumer was deleted.
        public var resumption = Resumption.behindTheLast

        /// Creates the default settings.
        public init() {}
    }

    /// The notifications that the replicas of a program, which have the same name, receive. In a ``RelayRoute``'s
    /// group, one member receives each notification, regardless of its name.
    @nonexhaustive
    public enum Replicas: Hashable, Sendable {
        /// One replica receives each notification, without an order between replicas. A post by one of them counts as
        /// handled by the program, so no other replica receives it.
        case share
        /// Each replica receives all notifications, in the order of the stream, including the posts of the other
        /// replicas. This requires ``RelayOptions/instance``, which names the consumer.
        case each
    }

    /// The position at which a deleted consumer continues after it was created again. In both cases a
    /// ``RelayFault/Kind/consumerLost`` is reported.
    @nonexhaustive
    public enum Resumption: Hashable, Sendable {
        /// After the last acknowledged notification. The position is stored on the server, in a separate stream, about
        /// once a second, so some of the last acknowledged notifications may be redelivered.
        case behindTheLast
        /// At the oldest notification in the stream: all notifications are redelivered.
        case stored
    }

    /// Returns the same route with other settings for consuming notifications. They have no effect on an outgoing
    /// route.
    ///
    /// - Parameter change: Changes the settings.
    /// - Returns: The route.
    public func consuming(_ change: (inout ConsumerOptions) -> Void) -> RelayRoute {
        var route = self
        change(&route.consumerOptions)
        return route
    }
}
