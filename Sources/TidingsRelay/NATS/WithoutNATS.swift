#if !NATS
    public import Tidings
    public import TidingsWire

    /// A stand-in without the trait `NATS`. The compiler reports what to add to the manifest.
    @available(
        *, unavailable, message: "needs a trait: in Package.swift, add traits: [\"NATS\"] to the dependency on tidings"
    )
    public struct NATSServer: Sendable {
        /// Accepts whatever the real initializer accepts, so that the first error names the trait.
        public init(_ addresses: String...) { fatalError("unavailable") }
    }

    extension NotificationRelay {
        /// A stand-in without the trait `NATS`. The compiler reports what to add to the manifest.
        @available(
            *, unavailable,
            message: "needs a trait: in Package.swift, add traits: [\"NATS\"] to the dependency on tidings"
        )
        public convenience init(
            _ center: any TypedNotificationCenter, to server: NATSServer, options: RelayOptions, routes: [RelayRoute],
            outbox: (any RelaySource)? = nil
        ) throws(RelayFault) { fatalError("unavailable") }

        /// A stand-in without the trait `NATS`. The compiler reports what to add to the manifest.
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
