#if NATS
    import Dispatch
    import Tidings
    import TidingsRelay

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

        /// Connects directly, or by the C client if the connection has to be encrypted.
        private func connectBlocking(_ report: @escaping @Sendable (LinkEvent) -> Void) throws(RelayFault) -> any Link {
            if server.encryption == nil, !server.prefersClient, let link = try connectDirectly(report) { return link }
            return try NATSLink(
                try NATSConnectionOptions(server, name: name), pendingLimit: server.pendingLimit, at: server.addresses,
                report)
        }

        /// Connects to the first server that lets the program in, in a random order, so that not all programs are on the same.
        ///
        /// - Returns: `nil` if one of them wants the connection to be encrypted.
        private func connectDirectly(
            _ report: @escaping @Sendable (LinkEvent) -> Void
        ) throws(RelayFault) -> DirectLink? {
            var (kind, reasons) = (RelayFault.Kind.cannotConnect, [String]())
            for address in server.addresses.shuffled() {
                let place = ServerAddress.withoutPassword(address)
                guard let parsed = ServerAddress(address) else {
                    reasons.append("\(place): not an address such as nats://host:4222")
                    continue
                }
                if parsed.isEncrypted { return nil }
                switch Handshake.connect(parsed, server.login, name: name) {
                case .success(let accepted):
                    return try DirectLink(accepted, pendingLimit: server.pendingLimit, report)
                case .failure(.needsEncryption): return nil
                case .failure(.refused(let reason)):
                    kind = .permissionDenied
                    reasons.append("\(place): \(reason)")
                case .failure(.impossible(let reason)): reasons.append("\(place): \(reason)")
                }
            }
            throw RelayFault(kind, reasons.isEmpty ? "no address of a server" : reasons.joined(separator: "; "))
        }
    }
#endif
