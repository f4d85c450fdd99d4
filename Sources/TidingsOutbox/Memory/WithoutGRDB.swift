#if !GRDB
    // Without this constraint, the compiler would report an error about `Store` instead of the message below.
    extension NotificationOutbox where Store == InMemoryOutboxStore {
        /// A stand-in for programs without the trait `GRDB`. Using it is a compiler error that names the trait.
        @available(
            *, unavailable,
            message: "needs a trait: in Package.swift, add traits: [\"GRDB\"] to the dependency on tidings"
        )
        public convenience init(
            in database: Any, of center: any TypedNotificationCenter, durability: Any? = nil,
            options: OutboxOptions = OutboxOptions()
        ) async throws { fatalError("unavailable") }
    }

    /// A stand-in for programs without the trait `GRDB`. Using it is a compiler error that names the trait.
    @available(
        *, unavailable, message: "needs a trait: in Package.swift, add traits: [\"GRDB\"] to the dependency on tidings"
    )
    public struct SQLiteOutboxStore: Sendable {
        /// Accepts the arguments of the real initializer, so that the first error names the trait.
        public init(_ database: Any, durability: Any? = nil) { fatalError("unavailable") }
    }

    /// A stand-in for programs without the trait `GRDB`. Using it is a compiler error that names the trait.
    @available(
        *, unavailable, message: "needs a trait: in Package.swift, add traits: [\"GRDB\"] to the dependency on tidings"
    )
    public struct SQLiteInbox: Sendable {
        /// Accepts the arguments of the real initializer, so that the first error names the trait.
        public init(in database: Any) async throws { fatalError("unavailable") }
    }
#endif
