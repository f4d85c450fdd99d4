#if NATS
    import TidingsRelay

    /// Where a server is, as the program was told: `nats://user:password@host:port`, of which only the host has to be there.
    struct ServerAddress: Equatable {
        var isEncrypted = false
        let host: String
        var port = 4222
        /// What stands before an `@`: a user, or a token if there is no password.
        var user: String?
        var password: String?

        /// Reads an address; `nil` if it is none, or asks for a way to connect that is not TCP.
        init?(_ text: String) {
            var rest = text[...]
            let scheme = rest.prefix { $0.isLetter }
            if rest[scheme.endIndex...].hasPrefix("://") {
                switch scheme.lowercased() {
                case "nats", "tcp": break
                case "tls": isEncrypted = true
                default: return nil
                }
                rest = rest[scheme.endIndex...].dropFirst(3)
            }
            if let slash = rest.firstIndex(of: "/") { rest = rest[..<slash] }
            if let at = rest.lastIndex(of: "@") {
                let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                user = HeaderText.unescaped(String(parts[0]))
                password = parts.count > 1 ? HeaderText.unescaped(String(parts[1])) : nil
                rest = rest[rest.index(after: at)...]
            }
            // The colons of an address of IPv6 stand in brackets.
            var host = rest
            if rest.first == "[" {
                guard let bracket = rest.firstIndex(of: "]") else { return nil }
                host = rest[rest.index(after: rest.startIndex)..<bracket]
                rest = rest[rest.index(after: bracket)...]
            } else {
                host = rest.prefix { $0 != ":" }
                rest = rest[host.endIndex...]
            }
            if let colon = rest.first {
                guard colon == ":", let number = UInt16(rest.dropFirst()), number > 0 else { return nil }
                port = Int(number)
            }
            guard !host.isEmpty else { return nil }
            self.host = String(host)
        }

        /// An address as it may be told: without what may be a password.
        static func withoutPassword(_ address: String) -> String {
            guard let at = address.lastIndex(of: "@") else { return address }
            let scheme = address.prefix { $0 != "/" }
            return (scheme.hasSuffix(":") ? scheme + "//" : "") + address[address.index(after: at)...]
        }
    }
#endif
