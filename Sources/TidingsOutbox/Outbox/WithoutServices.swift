#if !ServiceLifecycle
    /// A stand-in without the trait `ServiceLifecycle`. The compiler reports what to add to the manifest.
    @available(
        *, unavailable,
        message: "needs a trait: in Package.swift, add traits: [\"ServiceLifecycle\"] to the dependency on tidings"
    )
    public struct OutboxService<Store: OutboxStore>: Sendable {
        /// Accepts whatever the real initializer accepts, so that the first error names the trait.
        public init(
            _ outbox: NotificationOutbox<Store>, finishingWithin limit: Duration,
            unfinished report: @escaping @Sendable ([DurableObserverStatus]) -> Void = { _ in }
        ) { fatalError("unavailable") }
    }
#endif

#if !Metrics
    extension NotificationOutbox {
        /// A stand-in without the trait `Metrics`. The compiler reports what to add to the manifest.
        @available(
            *, unavailable,
            message: "needs a trait: in Package.swift, add traits: [\"Metrics\"] to the dependency on tidings"
        )
        public func measure(with factory: Any? = nil, dimensions: [(String, String)] = []) {}
    }
#endif
