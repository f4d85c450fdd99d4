#if Logging
    public import Logging
    public import Tidings

    /// Logs what happens in a center: one line for each event, with its details as metadata.
    ///
    /// ```swift
    /// let attachment = center.attach(LoggingMonitor(Logger(label: "org.example.notifications")))
    /// ```
    ///
    /// A message is always the same for its kind of event; what differs is in the metadata, whose keys begin with `tidings.`:
    ///
    /// - of an observer `notification`, `delivery`, `registered_at`, `observer`, its `ObserverDescription.label`, by which metrics know it,
    ///   `observer_id`, a number that is its own, and `group`;
    /// - of a post `notification`, `post`, a number that its deliveries have too, `cause`, the delivery in which it was made, `posted_at`
    ///   and `observers`;
    /// - of a delivery, also one that failed, `post` and `delivery_id`, which is the `cause` of the posts that it makes;
    /// - of a notification that begins to wait, or is dropped, the `post` by which it does;
    /// - of a failure `kind`, `reason`, and `error`, the type of the error or the words of its `CustomTidingsDescription`;
    /// - of a failure after which the observer is called again also `attempt`, `attempts`, `delay` in seconds, and `last_response`, which says
    ///   what follows if the last attempt fails, too;
    /// - `waiting`, `most_waiting`, `dropped`, `count`, `duration` and `wait_time`, both in seconds, `age` and `owner`.
    ///
    /// So a chain of causes can be followed where posts and deliveries are logged, and an error leads to its post.
    ///
    /// If the cooperative pool takes no work, one line says so, with the calls that `occupy` it, and how many observers are `waiting`. A thread
    /// of its own writes it. It comes after `WarningThresholds.call`.
    ///
    /// An error may hold what nobody else should read, such as the number of a card. So its text is logged only if you ask for it with
    /// `logsErrorText`.
    public struct LoggingMonitor: LookingMonitor {
        private let logger: Logger
        private let levels: Levels
        private let logsErrorText: Bool
        private let pool = PoolWatch()

        /// Makes a monitor for a logger.
        ///
        /// - Parameters:
        ///   - logger: The logger.
        ///   - levels: The level for each kind of event.
        ///   - logsErrorText: Whether an error that an observer threw is logged with its text, and not only with its type. Of errors that are
        ///     put together in one line only the type is known.
        public init(_ logger: Logger, levels: Levels = Levels(), logsErrorText: Bool = false) {
            self.logger = logger
            self.logsErrorText = logsErrorText
            self.levels = levels
        }

        /// What the logger logs at the levels of the monitor: what is below its level is neither measured nor told.
        ///
        /// It is looked at when the monitor is attached. Where the level of the logger's handler may change while the program
        /// runs, attach the monitor with `interests: .everything`, and it looks at the level with each event.
        public var interests: MonitorInterests { levels.interests(of: logger) }

        /// Logs once that the cooperative pool takes no work, and again when that has lasted twice as long.
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
        /// The level at which each kind of event is logged; `nil` for never.
        ///
        /// Posts and deliveries are logged at `trace`, registrations and their ends at `debug`, and everything that deserves your
        /// attention at `warning` or above.
        public struct Levels: Sendable {
            /// For an observer that was registered, or whose observation has ended: `debug` unless set.
            public var observers: Logger.Level? = .debug

            /// For a post: `trace` unless set.
            public var posts: Logger.Level? = .trace

            /// For a notification that waits or was delivered: `trace` unless set.
            public var deliveries: Logger.Level? = .trace

            /// For notifications that a buffering policy dropped: `warning` unless set. The first one of an observer has a line of
            /// its own; those that follow have one line in each `WarningThresholds.dropInterval`, with their number. What a policy drops whose
            /// purpose that is, such as `.latest(1)`, isn't logged: see `BufferingPolicy.intendsDrops`.
            public var drops: Logger.Level? = .warning

            /// For a notification that could not be translated, and for an observer that threw: `error` unless set. An observer that goes on
            /// throwing has one line in each `WarningThresholds.failureInterval`, with how often it did.
            public var failures: Logger.Level? = .error

            /// For an observer that threw and is called again with the notification: `notice` unless set. An observer that goes on throwing has
            /// one line in each `WarningThresholds.failureInterval`, with how often it did.
            public var retries: Logger.Level? = .notice

            /// For something that looks wrong: `warning` unless set.
            public var warnings: Logger.Level? = .warning

            /// For a queue that was too long and has recovered, and for an observer that took too long and goes on: `notice` unless set.
            public var recoveries: Logger.Level? = .notice

            /// The levels that are set if you set none.
            public init() {}

            /// What a logger logs at these levels.
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
