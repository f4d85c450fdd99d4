#if Logging
    public import Logging
    public import Tidings

    /// Logs the events of a center, with one line per event and its details as metadata.
    ///
    /// ```swift
    /// let attachment = center.attach(LoggingMonitor(Logger(label: "org.example.notifications")))
    /// ```
    ///
    /// Each kind of event has a fixed message. The details are in the metadata, whose keys begin with `tidings.`:
    ///
    /// - An observer has `notification`, `delivery`, `registered_at`, `observer` (its `ObserverDescription.label`,
    ///   which metrics use as well), `observer_id` (a unique number), and `group`.
    /// - A post has `notification`, `post` (a number that its deliveries have, too), `cause` (the delivery in which it
    ///   was made), `posted_at` and `observers`.
    /// - A delivery, even one that failed, has `post` and `delivery_id`, which is the `cause` of the posts that it
    ///   makes.
    /// - A notification that is queued or dropped has the `post` that caused it.
    /// - A failure has `kind`, `reason`, and `error`, which is the type of the error or its `CustomTidingsDescription`.
    /// - A failure after which the observer is called again also has `attempt`, `attempts`, `delay` in seconds, and
    ///   `last_response`, the action that follows if the last attempt fails, too.
    /// - A call that takes long has `mark`, `marked_at` and `marked_for`: the last step that it has named with
    ///   `Tidings.mark`, its line, and for how many seconds it has been the last one.
    /// - Other keys are `waiting`, `most_waiting`, `growth`, `share`, `dropped`, `count`, `duration` and `wait_time` (both in seconds),
    ///   `age` and `owner`.
    ///
    /// With posts and deliveries logged, you can follow a chain of causes, and an error leads to its post.
    ///
    /// If the cooperative pool is blocked, one line reports it, with the calls that `occupy` the pool and the number of
    /// observers that are `waiting`. A separate thread writes it, after `WarningThresholds.call`.
    ///
    /// An error may contain data that must not be in a log, such as a card number. Its text is therefore logged only if
    /// you request it with `logsErrorText`.
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
        ///   - logsErrorText: Whether an error that an observer threw is logged with its text in addition to its type.
        ///     For errors combined in one line, only the type is known.
        public init(_ logger: Logger, levels: Levels = Levels(), logsErrorText: Bool = false) {
            self.logger = logger
            self.logsErrorText = logsErrorText
            self.levels = levels
        }

        /// The events that the logger logs at the levels of the monitor. Events below the logger's level are neither
        /// measured nor sent to the monitor.
        ///
        /// The property is read when the monitor is attached. If the level of the logger's handler can change at run
        /// time, attach the monitor with `interests: .everything`, and it checks the level for each event.
        public var interests: MonitorInterests { levels.interests(of: logger) }

        /// Logs once that the cooperative pool is blocked, and again each time that the delay has doubled.
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
        /// The level at which each kind of event is logged, or `nil` to never log it.
        ///
        /// Posts and deliveries are logged at `trace`, registrations and their ends at `debug`, and everything that
        /// deserves your attention at `warning` or above.
        public struct Levels: Sendable {
            /// The level for an observer that was registered, or whose observation has ended. The default is `debug`.
            public var observers: Logger.Level? = .debug

            /// The level for a post. The default is `trace`.
            public var posts: Logger.Level? = .trace

            /// The level for a notification that was queued or delivered. The default is `trace`.
            public var deliveries: Logger.Level? = .trace

            /// The level for notifications that a buffering policy dropped. The default is `warning`. The first one of
            /// an observer has its own line. Those that follow are combined in one line per
            /// `WarningThresholds.dropInterval`, with their number. Drops that are the purpose of a policy, such as
            /// `.latest(1)`, aren't logged: see `BufferingPolicy.intendsDrops`.
            public var drops: Logger.Level? = .warning

            /// The level for a notification that couldn't be decoded, and for an observer that threw. The default is
            /// `error`. An observer that continues to throw has one line per `WarningThresholds.failureInterval`, with
            /// the number of errors.
            public var failures: Logger.Level? = .error

            /// The level for an observer that threw and is called again with the notification. The default is `notice`.
            /// An observer that continues to throw has one line per `WarningThresholds.failureInterval`, with the
            /// number of errors.
            public var retries: Logger.Level? = .notice

            /// The level for a warning. The default is `warning`.
            public var warnings: Logger.Level? = .warning

            /// The level for a queue that was too long and has recovered, and for an observer that took too long and
            /// continues. The default is `notice`.
            public var recoveries: Logger.Level? = .notice

            /// Creates the default levels.
            public init() {}

            /// The events that a logger logs at these levels.
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

    /// A stand-in without the trait `Logging`. The compiler reports what to add to the manifest.
    @available(
        *, unavailable,
        message: "needs a trait: in Package.swift, add traits: [\"Logging\"] to the dependency on tidings"
    )
    public struct LoggingMonitor: NotificationMonitor {
        /// Accepts whatever the real initializer accepts, so that the first error names the trait.
        public init(_ logger: Any, levels: Any? = nil, logsErrorText: Bool = false) { fatalError("unavailable") }

        /// Does nothing.
        public func receive(_ event: NotificationEvent) {}
    }
#endif
