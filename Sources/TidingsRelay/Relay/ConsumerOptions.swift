extension RelayRoute {
    /// The settings with which a route consumes notifications. Transient routes use only ``consumesUnobserved``.
    ///
    /// ```swift
    /// let route = RelayRoute.durable(InvoiceDue.self, stream: "ORDERS", group: "printers").consuming {
    ///     $0.inProgressLimit = 8
    ///     $0.retryPolicy = [.seconds(10), .seconds(60)]
    /// }
    /// ```
    public struct ConsumerOptions: Hashable, Sendable {
        /// The maximum number of notifications that observers handle at a time. `nil` stands for 1 if the route has a
        /// group, and otherwise for ``RelayOptions/inProgressLimit``.
        public var inProgressLimit: Int?

        /// The number of notifications that are fetched in advance. `nil` stands for 1 if the route has a group, and
        /// otherwise for 0. With 1, work is spread evenly, and each worker has its next notification ready.
        public var prefetchLimit: Int?

        /// The number and the delays of redeliveries after failures. `nil` stands for ``RelayOptions/retryPolicy``.
        public var retryPolicy: RetryPolicy?

        /// The reasons for which a notification becomes a dead letter after the last retry, or `nil` for every reason.
        /// A notification that fails for another reason is retried with the last delay until it succeeds. The reason
        /// ``RelayFault/Kind/programLost`` always applies, because a retry would crash the program again.
        public var deadLetterReasons: Set<RelayFault.Kind>?

        /// Whether notifications are consumed even if their type has no observer.
        ///
        /// By default, durable notifications stay in the stream until there is an observer. Notifications for a group,
        /// even transient ones, go to members with an observer. With `true`, a durable notification without an observer
        /// is reported as ``RelayFault/Kind/unobserved``, retried, and then kept as a dead letter. The same happens by
        /// default if its type has observers, but all of them are limited to other senders or reject it with `where:`.
        ///
        /// Only `NativeNotificationCenter` reports whether there are observers. With other centers, all
        /// notifications are consumed.
        public var consumesUnobserved = false

        /// Whether the replicas of the program share the notifications of the stream, or each of them receives all.
        public var replicas = Replicas.share

        /// The lag limits for ``NotificationRelay/health(_:)``. `nil` stands for ``RelayOptions/lagLimits``.
        public var lagLimits: RelayOptions.LagLimits?

        /// The position at which the consumer continues after it was deleted on the server.
        public var resumption = Resumption.behindTheLast

        /// Creates the default settings.
        public init() {}
    }

    /// The ways in which replicas receive notifications. The replicas of a program have the same name. This setting
    /// doesn't affect a group, in which one member receives each notification.
    @nonexhaustive
    public enum Replicas: Hashable, Sendable {
        /// One replica receives each notification. There is no order between replicas. A notification that a replica
        /// posts goes directly to its own observers, and to no other replica.
        case share
        /// Each replica receives all notifications in the order of the stream, including those that other replicas
        /// post. This requires ``RelayOptions/instance``, which becomes part of the consumer's name.
        case each
    }

    /// The position at which a consumer continues after it was deleted on the server. The relay creates the consumer
    /// again and reports a ``RelayFault/Kind/consumerLost``. With ``RelayOptions/consumerLifetime``, the consumer
    /// starts at the route's start position instead.
    @nonexhaustive
    public enum Resumption: Hashable, Sendable {
        /// The consumer continues after the last acknowledged notification. The position is stored on the server about
        /// once a second, in a separate stream, so the last few notifications may be redelivered.
        case behindTheLast
        /// The consumer continues at the oldest notification in the stream, so all notifications are redelivered.
        case stored
    }

    /// Returns a copy of the route with other settings for consuming notifications. An outgoing route doesn't use them.
    ///
    /// - Parameter change: Changes the settings.
    /// - Returns: The route.
    public func consuming(_ change: (inout ConsumerOptions) -> Void) -> RelayRoute {
        var route = self
        change(&route.consumerOptions)
        return route
    }
}
