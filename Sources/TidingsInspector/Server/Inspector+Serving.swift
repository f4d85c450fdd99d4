#if InspectorServer
    import Foundation
    import Tidings

    extension Inspector {
        /// Serves the page and the snapshots on a separate port until the inspector is stopped.
        ///
        /// ```swift
        /// try await Inspector(of: center, bus).serve()
        /// ```
        ///
        /// The method returns when the server is reachable. The server retains the inspector. The server has a thread
        /// of its own, so it responds even while all threads of the cooperative pool are blocked. If the inspector has
        /// already been stopped, the server ends at once, and nothing responds at the returned address.
        ///
        /// - Parameters:
        ///   - host: The IPv4 address to listen on. With the default, only programs on this machine can connect. With
        ///     another address, the token is sent unencrypted over the network.
        ///   - port: The port, or 0 for a free one.
        ///   - announce: Called with the address, including the token. By default, the address goes to standard error.
        /// - Returns: The address, which includes the token.
        /// - Throws: ``InspectorServerError`` if the server can't listen on the address, or the token is invalid.
        @discardableResult
        public func serve(
            on host: String = "127.0.0.1", port: UInt16 = 0,
            announce: ((String) -> Void)? = nil
        ) async throws(InspectorServerError) -> String {
            if let reason = Token.objection(to: token) { throw InspectorServerError(code: .token, description: reason) }
            let listener = try InspectorListener(self, on: host, port: port)
            let isStopped = state.withLock { state in
                state.hosts.insert(host)
                return state.atStop { listener.stop() }
            }
            if isStopped { listener.stop() }
            listener.start()
            let address = "http://\(host):\(listener.port)/?token=\(token)"
            if let announce {
                announce(address)
            } else {
                try? FileHandle.standardError.write(contentsOf: Data("Inspector at \(address)\n".utf8))
            }
            return address
        }
    }
#endif
