#if !InspectorServer
    extension Inspector {
        /// A stand-in without the trait `InspectorServer`. The compiler reports what to add to the manifest.
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
