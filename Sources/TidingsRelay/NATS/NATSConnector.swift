#if NATS
    import Dispatch
    import Tidings

    /// Makes connections to a server of NATS.
    struct NATSConnector: LinkConnector {
        let server: NATSServer

        /// What the connection is called in the server's lists.
        let name: String

        func connect(_ report: @escaping @Sendable (LinkEvent) -> Void) async throws(RelayFault) -> any Link {
            // A continuation orders who resumes it before who goes on. Where the connection is made before the task waits for it, the
            // thread sanitizer does not see that; it sees that both have had this lock.
            let order = Lock(())
            let result: Result<any Link, RelayFault> = await withCheckedContinuation { continuation in
                // It blocks, for up to two seconds for each address.
                DispatchQueue.global().async {
                    let result = Result { () throws(RelayFault) in try connectBlocking(report) }
                    order.withLock { _ in }
                    continuation.resume(returning: result)
                }
            }
            order.withLock { _ in }
            return try result.get()
        }

        private func connectBlocking(_ report: @escaping @Sendable (LinkEvent) -> Void) throws(RelayFault) -> any Link {
            try NATSLink(
                try NATSConnectionOptions(server, name: name),
                pendingLimits: (server.pendingLimit, server.pendingByteLimit),
                at: server.addresses, report)
        }
    }
#endif
