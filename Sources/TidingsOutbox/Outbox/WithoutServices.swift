#if !ServiceLifecycle
    /// A stand-in for programs without the trait `ServiceLifecycle`. Using it is a compiler error that names the trait.
    @available(
        *, unavailable,
        message: "needs a trait: in Package.swift, add traits: [\"ServiceLifecycle\"] to the dependency on tidings"
    )
    public struct OutboxService<Store: OutboxStore>: Sendable {
        /// Accepts the arguments of the real initializer, so that the first error names the trait.
        public init(
            _ outbox: NotificationOutbox<Store>, finishingWithin limit: Duration,
            unfinished report: @escaping @Sendable ([DurableObserverStatus]) -> Void = { _ in }
        ) { fatalError("unavailable") }
    }
#endif

#if !Metrics
    extension NotificationOutbox {
        /// A stand-in for programs without the trait `Metrics`. Using it is a compiler error that names the trait.
        @available(
            *, unavailable,
            message: "needs a trait: in Package.swift, add traits: [\"Metrics\"] to the dependency on tidings"
        )
        public func measure(with factory: Any? = nil, dimensions: [(String, String)] = []) {}
    }
#endif
