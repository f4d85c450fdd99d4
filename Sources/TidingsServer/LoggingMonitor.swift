#if Logging
    public import Logging
    public import Tidings

    /// Logs the events of a center, one line for each, with the details as metadata.
    ///
    /// ```swift
    /// let attachment = center.attach(LoggingMonitor(Logger(label: "org.example.notifications")))
    /// ```
    ///
    /// Each kind of event has a fixed message. The keys of the metadata begin with `tidings.`:
    ///
    /// - An observer has `notification`, `delivery`, `registered_at`, `observer` (its `ObserverDescription.label`,
    ///   which metrics use as well), `observer_id` (a unique number), and `group`.
    /// - A post has `notification`, `post` (the number of the post), `posted_at` and `observers`. If an observer made
    ///   the post during a delivery, the post also has `cause`, which is the `delivery_id` of that delivery.
    /// - A delivery, even a failed one, has `post` (the number of its post) and `delivery_id`.
    /// - A notification that is queued or dropped has the number of its `post`.
    /// - A failure has `kind`, `reason`, and `error`: the type of the error, or its `CustomTidingsDescription`.
    /// - A failure with a retry also has `attempt`, `attempts`, `delay` in seconds, and `last_response`, which is the
    ///   action after the last failed attempt.
    /// - A slow call has `mark`, `marked_at` and `marked_for`: the last mark that the call has set with `Tidings.mark`,
    ///   the source line of the mark, and the number of seconds since then.
    /// - The end of an observation has `reason`.
    /// - Other keys are `waiting`, `most_waiting`, `growth`, `share`, `dropped`, `count`, `owner` and, in seconds,
    ///   `duration`, `wait_time` and `age`.
    ///
    /// If posts and deliveries are logged, you can follow a chain of causes, and find the post whose delivery failed.
    ///
    /// A blocked cooperative pool is reported in one line. In this line, `occupied_by` lists up to eight calls that may
    /// block the pool, and `waiting` is the number of observers whose next call hasn't started. A separate thread
    /// writes the line when the pool has been blocked for `WarningThresholds.call`, and again each time that the
    /// duration has doubled.
    ///
    /// An error may contain data that must not be logged. Its text is logged only with `logsErrorText`.
    public struct LoggingMonitor: LookingMonitor {
        private let logger: Logger
        private let levels: Levels
        private let logsErrorText: Bool
        private let pool = PoolWatch()

        /// Creates a monitor for a logger.
        ///
        /// - Parameters:
        ///   - logger: The logger.
        ///   - levels: The level for each kind of event.
        ///   - logsErrorText: Whether an observer's error is logged with its text in addition to its type. If several
        ///     errors are combined in one line, only their types are logged.
        public init(_ logger: Logger, levels: Levels = Levels(), logsErrorText: Bool = false) {
            self.logger = logger
            self.logsErrorText = logsErrorText
            self.levels = levels
        }

        /// The events that are logged at the monitor's levels. The center doesn't report other events to this monitor.
        ///
        /// The property is read when the monitor is attached. If the logger's level can change at run time, attach the
        /// monitor with `interests: .everything`, so that it checks the level for each event.
        public var interests: MonitorInterests { levels.interests(of: logger) }

        package func checksBegan(
            by attachment: ObjectIdentifier, every interval: Duration,
            _ progress: @escaping @Sendable () -> CheckProgress?
        ) {
            guard let level = levels.warnings else { return }
            pool.watch(attachment, every: interval, progress) { [logger] delay, calls in
                guard level >= logger.logLevel else { return }
                let line = LogLine(poolBlockedFor: delay, calls)
                logger.log(level: level, line.message, metadata: line.metadata, source: "Tidings")
            }
        }

        /// Logs an event.
        ///
        /// - Parameter event: The event.
        public func receive(_ event: NotificationEvent) {
            guard let level = levels[event], level >= logger.logLevel,
                let line = LogLine(event, withErrorText: logsErrorText)
            else { return }
            logger.log(level: level, line.message, metadata: line.metadata, source: "Tidings")
        }
    }

    extension LoggingMonitor {
        /// The level at which each kind of event is logged. A kind whose level is `nil` isn't logged.
        ///
        /// By default, posts and deliveries are logged at `trace`, registrations and the ends of observations at
        /// `debug`, retries and recoveries at `notice`, and other problems at `warning` or `error`.
        public struct Levels: Sendable {
            /// The level for the registration of an observer and the end of its observation. The default is `debug`.
            public var observers: Logger.Level? = .debug

            /// The level for a post. The default is `trace`.
            public var posts: Logger.Level? = .trace

            /// The level for a notification that was queued or delivered. The default is `trace`.
            public var deliveries: Logger.Level? = .trace

            /// The level for notifications that a buffering policy dropped. The default is `warning`. An observer's
            /// first drop has its own line. Later drops share one line per `WarningThresholds.dropInterval`. Drops by a
            /// policy that is meant to drop aren't logged: see `BufferingPolicy.intendsDrops`.
            public var drops: Logger.Level? = .warning

            /// The level for a notification that couldn't be decoded, and for an observer that threw. The default is
            /// `error`. An observer that keeps throwing has one line per `WarningThresholds.failureInterval`, with the
            /// number of errors.
            public var failures: Logger.Level? = .error

            /// The level for an observer that threw and is called again with the notification. The default is `notice`.
            /// Repeated errors share one line per `WarningThresholds.failureInterval`, with the number of errors.
            public var retries: Logger.Level? = .notice

            /// The level for a warning. The default is `warning`.
            public var warnings: Logger.Level? = .warning

            /// The level for the end of a warning, for example when a queue has recovered. The default is `notice`.
            public var recoveries: Logger.Level? = .notice

            /// Creates the default levels.
            public init() {}

            func interests(of logger: Logger) -> MonitorInterests {
                func logs(_ levels: Logger.Level?...) -> Bool {
                    levels.contains { $0.map { $0 >= logger.logLevel } == true }
                }
                var interests: MonitorInterests = []
                if logs(observers) { interests.insert(.observers) }
                if logs(posts) { interests.formUnion([.posts, .durations]) }
                if logs(deliveries) { interests.formUnion([.deliveries, .queues, .durations]) }
                if logs(drops) { interests.insert(.drops) }
                if logs(failures, retries) { interests.insert(.failures) }
                if logs(drops, failures, retries, warnings, recoveries) { interests.insert(.warnings) }
                return interests
            }

            subscript(event: NotificationEvent) -> Logger.Level? {
                switch event {
                case .registered, .ended: observers
                case .posted: posts
                case .queued, .delivered: deliveries
                case .dropped(let observer, let total): total == 1 && !observer.intendsDrops ? drops : nil
                case .failed(let failure):
                    failure.isRepeated ? nil : failure.retry == nil ? failures : retries
                case .warning(.drops): drops
                case .warning(.failures): failures
                case .warning(.retries): retries
                case .warning(.queueRecovered), .warning(.callRecovered): recoveries
                case .warning: warnings
                @unknown default: nil
                }
            }
        }
    }
#else
    public import Tidings

    /// A stand-in for programs without the trait `Logging`. Using it is a compiler error that names the trait.
    @available(
        *, unavailable,
        message: "needs a trait: in Package.swift, add traits: [\"Logging\"] to the dependency on tidings"
    )
    public struct LoggingMonitor: NotificationMonitor {
        /// Accepts the same arguments as the real initializer, so the compiler reports only the missing trait.
        public init(_ logger: Any, levels: Any? = nil, logsErrorText: Bool = false) { fatalError("unavailable") }

        /// Does nothing.
        public func receive(_ event: NotificationEvent) {}
    }
#endif
