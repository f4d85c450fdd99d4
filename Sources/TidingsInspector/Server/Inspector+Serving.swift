#if InspectorServer
    import Tidings

    extension Inspector {
        /// Serves the page and the snapshots on a port of its own, until the inspector is stopped, and prints the address.
        ///
        /// ```swift
        /// try await Inspector(of: center, bus).serve()
        /// ```
        ///
        /// It returns when it can be reached. The server keeps the inspector.
        ///
        /// - Parameters:
        ///   - host: The address of version 4 on which it listens: this machine's own, unless you say otherwise. On another one
        ///     the token passes through the network, where others may read it.
        ///   - port: The port; 0 for one that is free.
        ///   - announce: Called with the address, with the token in it. It is printed, if you do not say.
        /// - Returns: The address, with the token in it.
        /// - Throws: If it cannot listen there.
        @discardableResult
        public func serve(
            on host: String = "127.0.0.1", port: UInt16 = 0,
            announce: (String) -> Void = { print("Inspector at \($0)") }
        ) async throws -> String {
            let listener = try await InspectorListener(self, on: host, port: port)
            let running = Task.detached { await listener.run() }
            let isStopped = state.withLock { state in
                state.hosts.insert(host)
                return state.atStop { running.cancel() }
            }
            if isStopped { running.cancel() }
            let address = "http://\(host):\(listener.port)/?token=\(token)"
            announce(address)
            return address
        }
    }
#endif
