#if NATS && Configuration
    public import Configuration

    extension NATSServer {
        /// Creates a server from a configuration.
        ///
        /// ```swift
        /// let config = ConfigReader(provider: EnvironmentVariablesProvider())
        /// let server = try NATSServer(config: config.scoped(to: "nats"))          // NATS_ADDRESSES, NATS_USER, …
        /// ```
        ///
        /// - `addresses`: a required array of strings;
        /// - `user` and `password`, `token`, `credentialsFile`, or `key` and `seedFile`: strings; only one of these
        ///   logins can be set;
        /// - `tls.enabled`: whether the connection is encrypted; true by default if any other `tls` value is set;
        /// - `tls.authorities`, `tls.certificate`, `tls.key` and `tls.serverName`: strings, see ``Encryption``;
        /// - `pendingLimit` and `pendingByteLimit`: integers.
        ///
        /// The password and the token are read as secrets.
        ///
        /// - Parameter config: The configuration.
        /// - Throws: A fault of the kind `invalidConfiguration` with the missing or invalid key and the expected value.
        public init(config: ConfigReader) throws(RelayFault) {
            let values = ConfigurationReading(config)
            guard let addresses = try values.strings("addresses"), !addresses.isEmpty else {
                throw values.missing("addresses", "the addresses of the server, such as nats://127.0.0.1:4222")
            }
            self.init()
            self.addresses = addresses
            login = try Self.login(values)
            encryption = try Self.encryption(values.part("tls"))
            pendingLimit = try values.count("pendingLimit", atLeast: 1) ?? pendingLimit
            pendingByteLimit = try values.count("pendingByteLimit", atLeast: 1) ?? pendingByteLimit
        }

        private static func login(_ values: ConfigurationReading) throws(RelayFault) -> Login {
            var logins: [Login] = []
            if let user = try values.string("user") {
                guard let password = try values.string("password", isSecret: true) else {
                    throw values.missing("password", "the password of the user")
                }
                logins.append(.user(user, password: password))
            }
            if let token = try values.string("token", isSecret: true) { logins.append(.token(token)) }
            if let file = try values.string("credentialsFile") { logins.append(.credentials(file: file)) }
            if let key = try values.string("key") {
                guard let file = try values.string("seedFile") else {
                    throw values.missing("seedFile", "the file with the seed of the key")
                }
                logins.append(.key(key, seedFile: file))
            }
            if logins.count > 1 { throw values.fault("user", "the only login; set the values of one login") }
            return logins.first ?? .anonymous
        }

        private static func encryption(_ values: ConfigurationReading) throws(RelayFault) -> Encryption? {
            var encryption = Encryption()
            encryption.authorities = try values.string("authorities")
            encryption.certificate = try values.string("certificate")
            encryption.key = try values.string("key")
            encryption.serverName = try values.string("serverName")
            if (encryption.certificate == nil) != (encryption.key == nil) {
                throw values.missing(
                    encryption.key == nil ? "key" : "certificate", "a certificate and its key belong together")
            }
            let isEnabled = try values.bool("enabled") ?? (encryption != Encryption())
            return isEnabled ? encryption : nil
        }
    }

    extension NotificationRelay {
        /// Creates a relay from a configuration, with options at the top level and the server's values below `server`.
        ///
        /// - Parameters:
        ///   - center: The center.
        ///   - config: The configuration, see `RelayOptions.init(config:)` and ``NATSServer/init(config:)``.
        ///   - routes: The routes.
        ///   - outbox: The `NotificationOutbox` from which the relay sends the stored notifications of types with
        ///     outgoing durable routes, or `nil` for none.
        /// - Throws: A fault if a value is missing or invalid, or if another relay sends a type from the outbox.
        public convenience init(
            _ center: any TypedNotificationCenter, config: ConfigReader, routes: [RelayRoute],
            outbox: (any RelaySource)? = nil
        ) throws(RelayFault) {
            let server = try NATSServer(config: config.scoped(to: "server"))
            try self.init(center, to: server, options: try RelayOptions(config: config), routes: routes, outbox: outbox)
        }
    }
#endif
