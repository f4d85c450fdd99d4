#if !InspectorServer
    extension Inspector {
        /// A stand-in for programs without the trait `InspectorServer`. Calling it is an error that names the trait.
        @available(
            *, unavailable,
            message: "needs a trait: in Package.swift, add traits: [\"InspectorServer\"] to the dependency on tidings"
        )
        @discardableResult
        public func serve(
            on host: String = "127.0.0.1", port: UInt16 = 0, announce: ((String) -> Void)? = nil
        ) async throws(InspectorServerError) -> String { fatalError("unavailable") }
    }
#endif
