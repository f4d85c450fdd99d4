#if ServiceLifecycle
    public import ServiceLifecycle

    /// An outbox as a service. It runs until the program shuts down gracefully, and then finishes the outbox.
    ///
    /// Services shut down in reverse order, so list it after the group of observers and before the services that post.
    public struct OutboxService<Store: OutboxStore>: Service {
        private let outbox: NotificationOutbox<Store>
        private let limit: Duration
        private let report: @Sendable ([DurableObserverStatus]) -> Void

        /// Creates a service for an outbox.
        ///
        /// - Parameters:
        ///   - outbox: The outbox.
        ///   - limit: The maximum time in which it finishes, once the graceful shutdown has begun.
        ///   - report: Called with the durable observers that haven't handled everything within the limit, if there are
        ///     any. The remaining notifications stay in the table.
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
