#if ServiceLifecycle
    public import ServiceLifecycle

    /// An outbox as a service, which finishes the outbox when the program shuts down gracefully.
    ///
    /// Services shut down in reverse order, so list the outbox after the observers and before the services that post.
    public struct OutboxService<Store: OutboxStore>: Service {
        private let outbox: NotificationOutbox<Store>
        private let limit: Duration
        private let report: @Sendable ([DurableObserverStatus]) -> Void

        /// Creates a service for an outbox.
        ///
        /// - Parameters:
        ///   - outbox: The outbox.
        ///   - limit: The maximum time for the outbox to finish after the graceful shutdown has begun: see
        ///     ``NotificationOutbox/finish(within:)``.
        ///   - report: Called with the durable observers that haven't handled everything within the limit, if any.
        public init(
            _ outbox: NotificationOutbox<Store>, finishingWithin limit: Duration,
            unfinished report: @escaping @Sendable ([DurableObserverStatus]) -> Void = { _ in }
        ) {
            self.outbox = outbox
            self.limit = limit
            self.report = report
        }

        /// Waits for the graceful shutdown or the cancellation of the task, and then finishes the outbox.
        public func run() async throws {
            let wasShutDown = (try? await gracefulShutdown()) != nil
            let left = await outbox.finish(within: wasShutDown ? limit : .zero)
            if !left.isEmpty { report(left) }
        }
    }
#endif
