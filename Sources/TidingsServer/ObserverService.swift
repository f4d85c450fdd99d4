#if ServiceLifecycle
    public import ServiceLifecycle
    public import Tidings

    /// A group of observers as a service: it runs until the program shuts down gracefully, and then finishes.
    ///
    /// A service group shuts its services down in reverse order. So the group of observers stands before the services that post,
    /// such as a server of HTTP: when it is its turn, no service posts any more, and what was posted is handled.
    ///
    /// ```swift
    /// let group = ObserverGroup("orders", finishing: center)
    /// let service = ObserverService(group, finishingWithin: .seconds(20)) { left in
    ///     for observer in left { logger.error("gave up on \(observer)") }
    /// }
    /// try await ServiceGroup(services: [service, server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
    /// ```
    ///
    /// With `failsIfUnfinished: true` the service ends with an ``UnfinishedError`` if something was given up, and so does the `run()` of
    /// its service group: a program whose `main` hands that error on exits with another code than 0.
    public struct ObserverService: Service, CustomStringConvertible {
        /// The group.
        public let group: ObserverGroup

        private let limit: Duration
        private let clock: any Clock<Duration>
        private let failsIfUnfinished: Bool
        private let report: @Sendable ([ObserverGroup.Unfinished]) -> Void

        /// Makes a service of a group.
        ///
        /// - Parameters:
        ///   - group: The group.
        ///   - limit: How long the group may take to finish, once the graceful shutdown has begun.
        ///   - clock: The clock that measures the time.
        ///   - failsIfUnfinished: Whether ``run()`` throws an ``UnfinishedError`` if something had not finished when the time was over.
        ///   - report: Called with what had not finished when the time was over, if there is anything.
        public init(
            _ group: ObserverGroup, finishingWithin limit: Duration, clock: any Clock<Duration> = ContinuousClock(),
            failsIfUnfinished: Bool = false,
            unfinished report: @escaping @Sendable ([ObserverGroup.Unfinished]) -> Void = { _ in }
        ) {
            self.group = group
            self.limit = limit
            self.clock = clock
            self.failsIfUnfinished = failsIfUnfinished
            self.report = report
        }

        /// Waits for the graceful shutdown, or for the task to be cancelled, and then finishes the group.
        ///
        /// - Throws: An ``UnfinishedError`` if something had not finished, and the service is to fail then.
        public func run() async throws {
            // It throws if the task is cancelled, when there is no time left: the group takes nothing new, and is let go.
            let wasShutDown = (try? await gracefulShutdown()) != nil
            let left = await group.finish(within: wasShutDown ? limit : .zero, clock: clock)
            if left.isEmpty { return }
            report(left)
            if failsIfUnfinished { throw UnfinishedError(group: group.name, unfinished: left) }
        }

        /// The group, with its name.
        public var description: String { group.description }

        /// The error of a service whose group had not finished when the time was over.
        public struct UnfinishedError: Error, CustomStringConvertible {
            /// The name of the group.
            public let group: String

            /// What had not finished.
            public let unfinished: [ObserverGroup.Unfinished]

            /// The group, and what had not finished with what it was doing, in one sentence.
            public var description: String {
                "the group \"\(group)\" gave up on \(unfinished.map(\.description).joined(separator: "; "))"
            }
        }
    }
#else
    public import Tidings

    /// A stand-in without the trait `ServiceLifecycle`. The compiler reports what to add to the manifest.
    @available(
        *, unavailable,
        message: "needs a trait: in Package.swift, add traits: [\"ServiceLifecycle\"] to the dependency on tidings"
    )
    public struct ObserverService: Sendable {
        /// Accepts whatever the real initializer accepts, so that the first error names the trait.
        public init(
            _ group: ObserverGroup, finishingWithin limit: Duration, clock: any Clock<Duration> = ContinuousClock(),
            failsIfUnfinished: Bool = false,
            unfinished report: @escaping @Sendable ([ObserverGroup.Unfinished]) -> Void = { _ in }
        ) { fatalError("unavailable") }

        /// Does nothing.
        public func run() async throws {}
    }
#endif
