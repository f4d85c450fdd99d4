#if NATS
    import Dispatch

    struct NATSConnector: LinkConnector {
        let server: NATSServer
        let name: String

        func connect(_ report: @escaping @Sendable (LinkEvent) -> Void) async throws(RelayFault) -> any Link {
            // Without the lock, the thread sanitizer reports a race if the task is resumed before it suspends.
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
                pendingLimits: (server.pendingLimit, server.pendingByteLimit), at: server.addresses, report)
        }
    }
#endif
