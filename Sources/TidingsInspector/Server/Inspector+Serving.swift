#if InspectorServer
    import Foundation
    import Tidings

    extension Inspector {
        /// Serves the page and the snapshots on a port of its own, until the inspector is stopped, and says the address.
        ///
        /// ```swift
        /// try await Inspector(of: center, bus).serve()
        /// ```
        ///
        /// It returns when it can be reached. The server keeps the inspector. It has a thread of its own, and answers also while
        /// every thread of the cooperative pool is blocked.
        ///
        /// - Parameters:
        ///   - host: The address of version 4 on which it listens: this machine's own, unless you say otherwise. On another one
        ///     the token passes through the network, where others may read it.
        ///   - port: The port; 0 for one that is free.
        ///   - announce: Called with the address, with the token in it. It is written to the standard error, if you do not say: the
        ///     output of a program is kept and passed on more often.
        /// - Returns: The address, with the token in it.
        /// - Throws: ``InspectorServerError``, if it cannot listen there, or if the token that the options say is none.
        @discardableResult
        public func serve(
            on host: String = "127.0.0.1", port: UInt16 = 0,
            announce: ((String) -> Void)? = nil
        ) async throws(InspectorServerError) -> String {
            if let reason = Token.objection(to: token) { throw .noToken(reason) }
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
                // If this cannot be written, there is no place left to say so.
                try? FileHandle.standardError.write(contentsOf: Data("Inspector at \(address)\n".utf8))
            }
            return address
        }
    }
#endif
