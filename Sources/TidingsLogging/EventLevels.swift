#if Logging
    public import Logging
    import Tidings

    /// The level at which each kind of event is logged; `nil` for never.
    ///
    /// What happens all the time is logged at `trace`, what comes and goes at `debug`, and what you should know about at
    /// `warning` or above.
    public struct EventLevels: Sendable {
        /// For an observer that was registered, or whose observation has ended: `debug` unless set.
        public var observers: Logger.Level? = .debug

        /// For a post: `trace` unless set.
        public var posts: Logger.Level? = .trace

        /// For a notification that waits or was delivered: `trace` unless set.
        public var deliveries: Logger.Level? = .trace

        /// For a notification that a buffering policy dropped: `warning` unless set.
        public var drops: Logger.Level? = .warning

        /// For a notification that could not be translated: `error` unless set.
        public var failures: Logger.Level? = .error

        /// For something that looks wrong: `warning` unless set.
        public var warnings: Logger.Level? = .warning

        /// The levels that are set if you set none.
        public init() {}

        subscript(event: NotificationEvent) -> Logger.Level? {
            switch event {
            case .registered, .ended: observers
            case .posted: posts
            case .queued, .delivered: deliveries
            case .dropped: drops
            case .failed: failures
            case .warning: warnings
            @unknown default: nil
            }
        }
    }
#endif
