#if !Logging
    /// A stand-in for programs without the trait `Logging`. Using it is a compiler error that names the trait.
    @available(
        *, unavailable,
        message: "needs a trait: in Package.swift, add traits: [\"Logging\"] to the dependency on tidings"
    )
    public struct RelayLog: Sendable {
        /// Accepts the same arguments as the real initializer, so the compiler reports only the missing trait.
        public init(_ logger: Any, of center: any TypedNotificationCenter, levels: Any? = nil) {
            fatalError("unavailable")
        }
    }
#endif

#if !Metrics
    extension NotificationRelay {
        /// A stand-in for programs without the trait `Metrics`. Using it is a compiler error that names the trait.
        @available(
            *, unavailable,
            message: "needs a trait: in Package.swift, add traits: [\"Metrics\"] to the dependency on tidings"
        )
        public func measure(with factory: Any? = nil, dimensions: [(String, String)] = []) {}
    }
#endif

#if !Configuration
    extension RelayOptions {
        /// A stand-in for programs without the trait `Configuration`. Using it is an error that names the trait.
        @available(
            *, unavailable,
            message: "needs a trait: in Package.swift, add traits: [\"Configuration\"] to the dependency on tidings"
        )
        public init(config: Any) throws(RelayFault) { fatalError("unavailable") }
    }
#endif
