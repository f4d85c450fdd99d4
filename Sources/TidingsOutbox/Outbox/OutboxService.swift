#if ServiceLifecycle
    public import ServiceLifecycle

    /// An outbox as a service: it runs until the program shuts down gracefully, and then finishes.
    ///
    /// It stands behind the group of observers and before the services that post, as services are shut down last to first.
    public struct OutboxService<Store: OutboxStore>: Service {
        private let outbox: NotificationOutbox<Store>
        private let limit: Duration
        private let report: @Sendable ([DurableObserverStatus]) -> Void

        /// Makes a service of an outbox.
        ///
        /// - Parameters:
        ///   - outbox: The outbox.
        ///   - limit: How long it may take to finish, once the graceful shutdown has begun.
        ///   - report: Called with the durable observers that had not handled everything when the time was over, if there are any. What
        ///     they have not handled waits in the table.
        public init(
            _ outbox: NotificationOutbox<Store>, finishingWithin limit: Duration,
            unfinished report: @escaping @Sendable ([DurableObserverStatus]) -> Void = { _ in }
        ) {
            self.outbox = outbox
            self.limit = limit
            self.report = report
        }

        /// Waits for the graceful shutdown, or for the task to be cancelled, and then finishes the outbox.
        public func run() async throws {
            let wasShutDown = (try? await gracefulShutdown()) != nil
            let left = await outbox.finish(within: wasShutDown ? limit : .zero)
            if !left.isEmpty { report(left) }
        }
    }
#endif
