#if Logging
    public import Logging
    public import Tidings

    /// Logs what happens in a center: one line for each event, with what is known about it as metadata.
    ///
    /// ```swift
    /// let attachment = center.attach(LoggingMonitor(Logger(label: "org.example.notifications")))
    /// ```
    ///
    /// A message is always the same for its kind of event; what differs is in the metadata, whose keys begin with `tidings.`:
    /// `notification`, `delivery`, `registered_at`, `observers`, `waiting`, `dropped`, `duration` and `wait_time`, both in
    /// seconds, `kind` and `reason`.
    public struct LoggingMonitor: NotificationMonitor {
        private let logger: Logger
        private let levels: EventLevels

        /// Makes a monitor for a logger.
        ///
        /// - Parameters:
        ///   - logger: The logger.
        ///   - levels: The level for each kind of event.
        public init(_ logger: Logger, levels: EventLevels = EventLevels()) {
            self.logger = logger
            self.levels = levels
        }

        /// Logs an event.
        ///
        /// - Parameter event: The event.
        public func receive(_ event: NotificationEvent) {
            guard let level = levels[event], level >= logger.logLevel, let line = LogLine(event) else { return }
            logger.log(level: level, line.message, metadata: line.metadata, source: "Tidings")
        }
    }
#endif
