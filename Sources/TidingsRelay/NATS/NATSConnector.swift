#if NATS
    import Dispatch
    import Tidings

    struct NATSConnector: LinkConnector {
        let server: NATSServer

        /// The name of the connection in the server's lists.
        let name: String

        func connect(_ report: @escaping @Sendable (LinkEvent) -> Void) async throws(RelayFault) -> any Link {
            // A continuation orders the code that resumes it before the code that continues. The thread sanitizer doesn't
            // see that if it is resumed before the task waits, but it sees that both acquire this lock.
            let order = Lock(())
            let result: Result<any Link, RelayFault> = await withCheckedContinuation { continuation in
                // Connecting blocks for up to two seconds per address.
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
