#if !Libpq
    /// A stand-in without the trait `Libpq`. The compiler reports what to add to the manifest.
    @available(
        *, unavailable, message: "needs a trait: in Package.swift, add traits: [\"Libpq\"] to the dependency on tidings"
    )
    public struct LibpqConnector: OutboxPostgresConnector {
        /// Accepts whatever the real initializer accepts, so that the first error names the trait.
        public init(_ parameters: String) { fatalError("unavailable") }

        /// Opens a connection.
        public func connect() async throws -> any OutboxPostgresConnection { fatalError("unavailable") }
    }
#endif
