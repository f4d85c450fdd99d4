#if NATS
    import CNATS

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// The C client's options for one connection, freed with this object. Only one thread uses it.
    @safe
    final class NATSConnectionOptions {
        let pointer: OpaquePointer

        init(_ server: NATSServer, name: String) throws(RelayFault) {
            var created: OpaquePointer?
            guard unsafe natsOptions_Create(&created) == NATS_OK, let created = unsafe created else {
                throw RelayFault(.cannotConnect, "no memory for the options of a connection")
            }
            unsafe pointer = created
            try configure(server, name)
        }

        deinit { unsafe natsOptions_Destroy(pointer) }

        func set(_ what: String, _ set: (NATSConnectionOptions) -> natsStatus) throws(RelayFault) {
            let status = set(self)
            if status != NATS_OK { throw RelayFault(.cannotConnect, "\(what) cannot be set: \(String(status))") }
        }

        func setServers(_ addresses: [String]) throws(RelayFault) {
            // This function frees the copies. The C client makes its own.
            let strings = unsafe addresses.map { unsafe strdup($0) }
            defer { for index in unsafe strings.indices { unsafe free(strings[index]) } }
            var pointers = unsafe strings.map { unsafe UnsafePointer($0) }
            try set("the addresses \(addresses.joined(separator: ", "))") {
                unsafe natsOptions_SetServers($0.pointer, &pointers, Int32(clamping: addresses.count))
            }
        }

        private func configure(_ server: NATSServer, _ name: String) throws(RelayFault) {
            try setServers(server.addresses.map(NATSServer.withoutPassword))
            // Each setter copies its argument.
            try set("the name") { unsafe natsOptions_SetName($0.pointer, name) }
            // If the client reconnected, it would send new messages before the relay repeats the lost ones.
            try set("the option to reconnect") { unsafe natsOptions_SetAllowReconnect($0.pointer, false) }
            try set("the option that disables echoes") { unsafe natsOptions_SetNoEcho($0.pointer, true) }
            try set("the option to send at once") { unsafe natsOptions_SetSendAsap($0.pointer, true) }
            // The number of bytes per read or write. The default of 32 KB holds only a few hundred messages.
            try set("the size of the buffers") { unsafe natsOptions_SetIOBufSize($0.pointer, 1 << 17) }
            try set("the time to connect") { unsafe natsOptions_SetTimeout($0.pointer, 2000) }
            // A connection to a server that is silent for fifteen seconds counts as lost.
            try set("the time between pings") { unsafe natsOptions_SetPingInterval($0.pointer, 5000) }
            try set("the limit of unanswered pings") { unsafe natsOptions_SetMaxPingsOut($0.pointer, 2) }
            let login = server.login == .anonymous ? NATSServer.login(in: server.addresses) : server.login
            try logIn(login)
            if let encryption = server.encryption { try encrypt(encryption) }
        }

        private func logIn(_ login: NATSServer.Login) throws(RelayFault) {
            switch login {
            case .anonymous: break
            case .user(let user, let password):
                try set("the user") { unsafe natsOptions_SetUserInfo($0.pointer, user, password) }
            case .token(let token): try set("the token") { unsafe natsOptions_SetToken($0.pointer, token) }
            case .credentials(let file):
                try set("the credentials in \(file)") {
                    unsafe natsOptions_SetUserCredentialsFromFiles($0.pointer, file, nil)
                }
            case .key(let key, let seedFile):
                try set("the key with the seed in \(seedFile)") {
                    unsafe natsOptions_SetNKeyFromSeed($0.pointer, key, seedFile)
                }
            }
        }

        private func encrypt(_ encryption: NATSServer.Encryption) throws(RelayFault) {
            try set("encryption") { unsafe natsOptions_SetSecure($0.pointer, true) }
            if let file = encryption.authorities {
                try set("the authorities in \(file)") {
                    unsafe natsOptions_LoadCATrustedCertificates($0.pointer, file)
                }
            }
            if let certificate = encryption.certificate, let key = encryption.key {
                try set("the certificate in \(certificate) with the key in \(key)") {
                    unsafe natsOptions_LoadCertificatesChain($0.pointer, certificate, key)
                }
            }
            if let name = encryption.serverName {
                try set("the server's name") { unsafe natsOptions_SetExpectedHostname($0.pointer, name) }
            }
        }
    }
#endif
