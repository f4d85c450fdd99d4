#if NATS
    /// A NATS server or cluster, and the login of the program.
    ///
    /// ```swift
    /// var server = NATSServer("tls://a.example:4222", "tls://b.example:4222")
    /// server.login = .credentials(file: "/etc/shop/shop.creds")
    /// ```
    public struct NATSServer: Sendable {
        /// The login of the program.
        @nonexhaustive
        public enum Login: Hashable, Sendable {
            /// No login, or the login in an address: `user:password@` or `token@`, percent-encoded. If several
            /// addresses have a login, the first login is used for all addresses.
            case anonymous
            /// A user with a password.
            case user(String, password: String)
            /// A token.
            case token(String)
            /// A credentials file, which contains the user's key and a token signed by the user's account.
            case credentials(file: String)
            /// A public key, and the file with its seed.
            case key(String, seedFile: String)
        }

        /// The settings of an encrypted connection.
        public struct Encryption: Hashable, Sendable {
            /// The file with the authorities that sign server certificates, or `nil` for those of the system.
            public var authorities: String?

            /// The file with the program's certificate, if the server requires one.
            public var certificate: String?

            /// The file with the key of the program's certificate.
            public var key: String?

            /// The name that the server's certificate must contain, or `nil` for the host in the address.
            public var serverName: String?

            /// Creates settings that use the system's authorities.
            public init() {}
        }

        /// The addresses, `nats://host:port` or `tls://host:port`. One working address is enough. List several servers
        /// of a cluster, so that the relay can connect to another server when one fails.
        public var addresses: [String]

        /// The login of the program.
        public var login = Login.anonymous

        /// The settings of an encrypted connection, or `nil` to encrypt only if the address or the server requires it.
        public var encryption: Encryption?

        /// The maximum number of received messages that wait to be handled, per subscription. Further messages are
        /// dropped, and a ``RelayFault/Kind/slowConsumer`` is reported.
        public var pendingLimit = 500_000

        /// The maximum total size of the waiting messages per subscription, in bytes, in addition to ``pendingLimit``.
        public var pendingByteLimit = 64 << 20

        /// Creates a description of a server, or of the servers of a cluster.
        ///
        /// - Parameter addresses: The addresses, `nats://host:port` or `tls://host:port`.
        public init(_ addresses: String...) { self.addresses = addresses }

        static func withoutPassword(_ address: String) -> String {
            guard let at = address.lastIndex(of: "@") else { return address }
            let scheme = address.prefix { $0 != "/" }
            return (scheme.hasSuffix(":") ? scheme + "//" : "") + address[address.index(after: at)...]
        }

        static func login(in addresses: [String]) -> Login {
            for address in addresses {
                guard let at = address.lastIndex(of: "@") else { continue }
                var text = address[..<at]
                if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
                let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { HeaderText.unescaped(String($0)) }
                return parts.count > 1 ? .user(parts[0], password: parts[1]) : .token(parts[0])
            }
            return .anonymous
        }

        static func told(_ addresses: [String]) -> String { addresses.map(withoutPassword).joined(separator: ", ") }
    }
#endif
