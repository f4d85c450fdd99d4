#if NATS
    import CNATS
    import Dispatch
    import TidingsRelay

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// Makes connections to a server of NATS.
    struct NATSConnector: LinkConnector {
        let server: NATSServer

        /// What the connection is called in the server's lists.
        let name: String

        func connect(_ report: @escaping @Sendable (LinkEvent) -> Void) async throws(RelayFault) -> any Link {
            let result: Result<any Link, RelayFault> = await withCheckedContinuation { continuation in
                // It blocks, for up to two seconds for each address.
                DispatchQueue.global().async {
                    continuation.resume(returning: Result { () throws(RelayFault) in try connectBlocking(report) })
                }
            }
            return try result.get()
        }

        /// Connects directly, or by the C client if the connection has to be encrypted.
        private func connectBlocking(_ report: @escaping @Sendable (LinkEvent) -> Void) throws(RelayFault) -> any Link {
            if server.encryption == nil, !server.prefersClient, let link = try connectDirectly(report) { return link }
            let options = try NATSConnectionOptions()
            try configure(options)
            return try NATSLink(options, pendingLimit: server.pendingLimit, at: server.addresses, report)
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
            throw RelayFault(kind, reasons.joined(separator: "; "))
        }

        private func configure(_ options: NATSConnectionOptions) throws(RelayFault) {
            try options.setServers(server.addresses)
            // Each setter copies what it is given.
            try options.set("the name") { unsafe natsOptions_SetName($0.pointer, name) }
            // A link is never made again: the client would let new messages go out before the ones that were lost.
            try options.set("reconnecting") { unsafe natsOptions_SetAllowReconnect($0.pointer, false) }
            try options.set("no echo") { unsafe natsOptions_SetNoEcho($0.pointer, true) }
            try options.set("sending at once") { unsafe natsOptions_SetSendAsap($0.pointer, true) }
            try options.set("the time to connect") { unsafe natsOptions_SetTimeout($0.pointer, 2000) }
            // A server that is silent for fifteen seconds is lost.
            try options.set("the time between pings") { unsafe natsOptions_SetPingInterval($0.pointer, 5000) }
            try options.set("the pings without an answer") { unsafe natsOptions_SetMaxPingsOut($0.pointer, 2) }
            try logIn(options)
            if let encryption = server.encryption { try encrypt(options, encryption) }
        }

        private func logIn(_ options: NATSConnectionOptions) throws(RelayFault) {
            switch server.login {
            case .anonymous: break
            case .user(let user, let password):
                try options.set("the user") { unsafe natsOptions_SetUserInfo($0.pointer, user, password) }
            case .token(let token):
                try options.set("the token") { unsafe natsOptions_SetToken($0.pointer, token) }
            case .credentials(let file):
                try options.set("the credentials in \(file)") {
                    unsafe natsOptions_SetUserCredentialsFromFiles($0.pointer, file, nil)
                }
            case .key(let key, let seedFile):
                try options.set("the key with the seed in \(seedFile)") {
                    unsafe natsOptions_SetNKeyFromSeed($0.pointer, key, seedFile)
                }
            }
        }

        private func encrypt(
            _ options: NATSConnectionOptions, _ encryption: NATSServer.Encryption
        ) throws(RelayFault) {
            try options.set("encryption") { unsafe natsOptions_SetSecure($0.pointer, true) }
            if let file = encryption.authorities {
                try options.set("the authorities in \(file)") {
                    unsafe natsOptions_LoadCATrustedCertificates($0.pointer, file)
                }
            }
            if let certificate = encryption.certificate, let key = encryption.key {
                try options.set("the certificate in \(certificate) with the key in \(key)") {
                    unsafe natsOptions_LoadCertificatesChain($0.pointer, certificate, key)
                }
            }
            if let name = encryption.serverName {
                try options.set("the server's name") { unsafe natsOptions_SetExpectedHostname($0.pointer, name) }
            }
        }
    }

    /// The options of a connection as the C client has them. They are used by one thread, and freed with this.
    @safe
    final class NATSConnectionOptions {
        let pointer: OpaquePointer

        init() throws(RelayFault) {
            var created: OpaquePointer?
            guard unsafe natsOptions_Create(&created) == NATS_OK, let created = unsafe created else {
                throw RelayFault(.cannotConnect, "no memory for the options of a connection")
            }
            unsafe pointer = created
        }

        deinit { unsafe natsOptions_Destroy(pointer) }

        /// Sets an option.
        ///
        /// - Parameters:
        ///   - what: What it is about, for the fault.
        ///   - set: Sets it, and copies what it needs.
        /// - Throws: A fault if it cannot be set.
        func set(_ what: String, _ set: (NATSConnectionOptions) -> natsStatus) throws(RelayFault) {
            let status = set(self)
            if status != NATS_OK { throw RelayFault(.cannotConnect, "\(what) cannot be set: \(String(status))") }
        }

        func setServers(_ addresses: [String]) throws(RelayFault) {
            // Copies that are the caller's to free, and that the C client copies again.
            let strings = unsafe addresses.map { unsafe strdup($0) }
            defer { for index in unsafe strings.indices { unsafe free(strings[index]) } }
            var pointers = unsafe strings.map { unsafe UnsafePointer($0) }
            try set("the addresses \(addresses.joined(separator: ", "))") {
                unsafe natsOptions_SetServers($0.pointer, &pointers, Int32(clamping: addresses.count))
            }
        }
    }
#endif
