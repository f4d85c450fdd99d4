#if !NATS
    /// A stand-in for programs without the trait `NATS`. Using it is a compiler error that names the trait.
    @available(
        *, unavailable, message: "needs a trait: in Package.swift, add traits: [\"NATS\"] to the dependency on tidings"
    )
    public struct NATSServer: Sendable {
        /// Accepts the same arguments as the real initializer, so the compiler reports only the missing trait.
        public init(_ addresses: String...) { fatalError("unavailable") }
    }

    extension NotificationRelay {
        /// A stand-in, like ``NATSServer``.
        @available(
            *, unavailable,
            message: "needs a trait: in Package.swift, add traits: [\"NATS\"] to the dependency on tidings"
        )
        public convenience init(
            _ center: any TypedNotificationCenter, to server: NATSServer, options: RelayOptions, routes: [RelayRoute],
            outbox: (any RelaySource)? = nil
        ) throws(RelayFault) { fatalError("unavailable") }

        /// A stand-in, like ``NATSServer``.
        @available(
            *, unavailable,
            message: "needs a trait: in Package.swift, add traits: [\"NATS\"] to the dependency on tidings"
        )
        public convenience init(
            _ center: any TypedNotificationCenter, to server: NATSServer, as name: String, routes: [RelayRoute],
            outbox: (any RelaySource)? = nil
        ) throws(RelayFault) { fatalError("unavailable") }
    }
#endif
