#if !Libpq
    /// A stand-in for programs without the trait `Libpq`. Using it is a compiler error that names the trait.
    @available(
        *, unavailable, message: "needs a trait: in Package.swift, add traits: [\"Libpq\"] to the dependency on tidings"
    )
    public struct LibpqConnector: OutboxPostgresConnector {
        /// Accepts the arguments of the real initializer, so that the first error names the trait.
        public init(_ parameters: String) { fatalError("unavailable") }

        /// Opens a connection.
        public func connect() async throws -> any OutboxPostgresConnection { fatalError("unavailable") }
    }
#endif
