#if !GRDB
    public import Tidings

    // The in-memory store replaces the missing one, because the initializer needs a store that the compiler can infer.
    extension NotificationOutbox where Store == InMemoryOutboxStore {
        /// A stand-in without the trait `GRDB`. The compiler reports what to add to the manifest.
        @available(
            *, unavailable,
            message: "needs a trait: in Package.swift, add traits: [\"GRDB\"] to the dependency on tidings"
        )
        public convenience init(
            in database: Any, of center: any TypedNotificationCenter, durability: Any? = nil,
            options: OutboxOptions = OutboxOptions()
        ) async throws { fatalError("unavailable") }
    }

    /// A stand-in without the trait `GRDB`. The compiler reports what to add to the manifest.
    @available(
        *, unavailable, message: "needs a trait: in Package.swift, add traits: [\"GRDB\"] to the dependency on tidings"
    )
    public struct SQLiteOutboxStore: Sendable {
        /// Accepts whatever the real initializer accepts, so that the first error names the trait.
        public init(_ database: Any, durability: Any? = nil) { fatalError("unavailable") }
    }

    /// A stand-in without the trait `GRDB`. The compiler reports what to add to the manifest.
    @available(
        *, unavailable, message: "needs a trait: in Package.swift, add traits: [\"GRDB\"] to the dependency on tidings"
    )
    public struct SQLiteInbox: Sendable {
        /// Accepts whatever the real initializer accepts, so that the first error names the trait.
        public init(in database: Any) async throws { fatalError("unavailable") }
    }
#endif
