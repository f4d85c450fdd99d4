#if NATS

    /// A server of NATS, or a cluster, and how to get in.
    ///
    /// ```swift
    /// var server = NATSServer("tls://a.example:4222", "tls://b.example:4222")
    /// server.login = .credentials(file: "/etc/shop/shop.creds")
    /// ```
    public struct NATSServer: Sendable {
        /// Who the program says it is.
        @nonexhaustive
        public enum Login: Hashable, Sendable {
            /// Nobody: the server lets everyone in, or an address has the name and the password, or a token, before an `@`. What is not a
            /// letter or a digit there can be written as `%` and two hexadecimal digits. The first address that has one counts for all.
            case anonymous
            /// A user with a password.
            case user(String, password: String)
            /// A token that the server knows.
            case token(String)
            /// A credentials file, with a token signed by an account and the user's key.
            case credentials(file: String)
            /// A public key, and the file that has its seed.
            case key(String, seedFile: String)
        }

        /// What a connection is encrypted with.
        public struct Encryption: Hashable, Sendable {
            /// The file with the certificates of those who sign servers' certificates; the system's if it is `nil`.
            public var authorities: String?

            /// The file with the program's own certificate, if the server asks for one.
            public var certificate: String?

            /// The file with the key of the program's own certificate.
            public var key: String?

            /// The name that the server's certificate has to be made for; `nil` if it is the one in the address.
            public var serverName: String?

            /// Encrypts, with what the system trusts.
            public init() {}
        }

        /// The addresses, `nats://host:port` or `tls://host:port`, of which one that works is enough. Of a cluster, name several
        /// servers: when one is lost, the relay connects to another of these.
        public var addresses: [String]

        /// Who the program says it is.
        public var login = Login.anonymous

        /// What the connection is encrypted with; `nil` if it is encrypted only where the address or the server demands it.
        public var encryption: Encryption?

        /// How many messages of a subscription wait at most. More are dropped, which is a fault.
        public var pendingLimit = 500_000

        /// How many bytes of a subscription wait at most, beside ``pendingLimit``.
        public var pendingByteLimit = 64 << 20

        /// A server, or the servers of a cluster.
        ///
        /// - Parameter addresses: The addresses, `nats://host:port` or `tls://host:port`.
        public init(_ addresses: String...) { self.addresses = addresses }

        /// An address as it may be told: without what may be a password.
        static func withoutPassword(_ address: String) -> String {
            guard let at = address.lastIndex(of: "@") else { return address }
            let scheme = address.prefix { $0 != "/" }
            return (scheme.hasSuffix(":") ? scheme + "//" : "") + address[address.index(after: at)...]
        }

        /// Who stands before the `@` of an address.
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

        /// The addresses in one line, as they may be told.
        static func told(_ addresses: [String]) -> String { addresses.map(withoutPassword).joined(separator: ", ") }
    }
#endif
