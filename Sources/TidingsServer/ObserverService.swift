#if ServiceLifecycle
    public import ServiceLifecycle
    public import Tidings

    /// A service that finishes a group of observers when the program shuts down gracefully.
    ///
    /// Services shut down in reverse order, so list the group before the services that post, such as an HTTP server.
    /// When the group finishes, those services no longer post, and the group can handle everything that was posted.
    ///
    /// ```swift
    /// let group = ObserverGroup("orders", finishing: center)
    /// let service = ObserverService(group, finishingWithin: .seconds(20)) { left in
    ///     for observer in left { logger.error("gave up on \(observer)") }
    /// }
    /// try await ServiceGroup(services: [service, server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
    /// ```
    ///
    /// With `failsIfUnfinished: true`, the service throws an ``UnfinishedError`` if an observer hasn't finished. The
    /// `run()` of the service group then throws the same error. If `main` also throws it, the program exits with a code
    /// other than 0.
    public struct ObserverService: Service, CustomStringConvertible {
        /// The group.
        public let group: ObserverGroup

        private let limit: Duration
        private let clock: any Clock<Duration>
        private let failsIfUnfinished: Bool
        private let report: @Sendable ([ObserverGroup.Unfinished]) -> Void

        /// Creates a service for a group.
        ///
        /// - Parameters:
        ///   - group: The group.
        ///   - limit: The maximum time for the group to finish after the graceful shutdown has begun.
        ///   - clock: The clock that measures this time.
        ///   - failsIfUnfinished: Whether ``run()`` throws an ``UnfinishedError`` if an observer doesn't finish.
        ///   - report: Called with the observers that haven't finished within the limit, if there are any.
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

        /// Waits for the graceful shutdown or the cancellation of the task, and then finishes the group.
        ///
        /// - Throws: An ``UnfinishedError`` if an observer hasn't finished, and `failsIfUnfinished` is true.
        public func run() async throws {
            // `gracefulShutdown` throws if the task is cancelled. The group then finishes with a limit of zero, so this
            // method doesn't wait for observers.
            let wasShutDown = (try? await gracefulShutdown()) != nil
            let left = await group.finish(within: wasShutDown ? limit : .zero, clock: clock)
            if left.isEmpty { return }
            report(left)
            if failsIfUnfinished { throw UnfinishedError(group: group.name, unfinished: left) }
        }

        /// The description of the group.
        public var description: String { group.description }

        /// An error that lists the observers of a group that haven't finished within the limit.
        public struct UnfinishedError: Error, CustomStringConvertible {
            /// The name of the group.
            public let group: String

            /// The observers that haven't finished.
            public let unfinished: [ObserverGroup.Unfinished]

            /// The group and its unfinished observers, in one sentence.
            public var description: String {
                "the group \"\(group)\" gave up on \(unfinished.map(\.description).joined(separator: "; "))"
            }
        }
    }
#else
    public import Tidings

    /// A stand-in for programs without the trait `ServiceLifecycle`. Using it is an error that names the trait.
    @available(
        *, unavailable,
        message: "needs a trait: in Package.swift, add traits: [\"ServiceLifecycle\"] to the dependency on tidings"
    )
    public struct ObserverService: Sendable {
        /// Accepts the same arguments as the real initializer, so the compiler reports only the missing trait.
        public init(
            _ group: ObserverGroup, finishingWithin limit: Duration, clock: any Clock<Duration> = ContinuousClock(),
            failsIfUnfinished: Bool = false,
            unfinished report: @escaping @Sendable ([ObserverGroup.Unfinished]) -> Void = { _ in }
        ) { fatalError("unavailable") }

        /// Does nothing.
        public func run() async throws {}
    }
#endif
