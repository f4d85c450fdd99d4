struct Access: Sendable {
    let token: String
    let hosts: Set<String>

    enum Refusal: Sendable {
        case foreignHost, foreignOrigin, noToken
    }

    private static let ownHosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

    /// The name of the cookie. Each inspector needs its own name, because browsers send a cookie to all ports of a
    /// host. The name depends on the token, so the cookie stays valid after the program restarts with the same token.
    var cookie: String {
        // The name may be public, because 32 bits of an FNV-1a hash don't reveal the token.
        var hash: UInt32 = 2_166_136_261
        for byte in token.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return "tidings-inspector-" + String(hash, radix: 16)
    }

    /// `query` is the token in the query, passed only for the page: other requests must send the token in a header.
    func refusal(of request: Inspector.Request, tokenInQuery query: String?, isPage: Bool) -> Refusal? {
        // A request with several `Host` headers is rejected, because a proxy may have checked only one of them.
        let named = request.values(of: "host")
        guard named.count == 1, let host = named.first, isOwn(host) else { return .foreignHost }
        // Navigating to the page is allowed from any site, because the page itself contains no data. For a navigation,
        // `Sec-Fetch-Site` isn't checked: after a link from another site, even a reload is `cross-site`.
        let isNavigation =
            isPage && request.values(of: "sec-fetch-mode") == ["navigate"]
            && request.values(of: "sec-fetch-dest") == ["document"]
        for origin in request.values(of: "origin") where !Self.is(origin, of: host) { return .foreignOrigin }
        // `Sec-Fetch-Site` may be missing, because browsers send it only to localhost and over HTTPS.
        if query == nil, !isNavigation {
            for site in request.values(of: "sec-fetch-site") where site != "same-origin" && site != "none" {
                return .foreignOrigin
            }
        }
        return hasToken(request, query) ? nil : .noToken
    }

    private func isOwn(_ host: String) -> Bool {
        var name = host.lowercased()
        // The last colon precedes the port, unless it belongs to an address in brackets.
        if let colon = name.lastIndex(of: ":"), !name[colon...].contains("]") {
            let port = name[name.index(after: colon)...]
            guard port.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return false }
            name = String(name[..<colon])
        }
        return Self.ownHosts.contains(name) || hosts.contains { $0.lowercased() == name }
    }

    private static func `is`(_ origin: String, of host: String) -> Bool {
        let origin = origin.lowercased()
        return origin == "http://\(host.lowercased())" || origin == "https://\(host.lowercased())"
    }

    /// Whether another origin led to this request. Browsers omit the `SameSite` cookie if that origin is another site.
    static func isFromElsewhere(_ request: Inspector.Request) -> Bool {
        request.values(of: "sec-fetch-site").contains { $0 == "cross-site" || $0 == "same-site" }
    }

    static func isEncrypted(_ request: Inspector.Request) -> Bool {
        request.values(of: "x-forwarded-proto").contains { $0.lowercased() == "https" }
            || request.values(of: "forwarded").contains { $0.lowercased().contains("proto=https") }
    }

    private func hasToken(_ request: Inspector.Request, _ query: String?) -> Bool {
        guard Token.isToken(token) else { return false }
        // All values are compared, even after a match, so that the time doesn't reveal which of them matches.
        var fits = false
        if let query { fits = isSame(query) || fits }
        for value in request.values(of: "authorization") {
            if value.lowercased().hasPrefix("bearer ") { fits = isSame(String(value.dropFirst(7))) || fits }
        }
        let name = cookie + "="
        for header in request.values(of: "cookie") {
            for pair in header.split(separator: ";").prefix(50) {
                let pair = pair.drop { $0 == " " }
                if pair.hasPrefix(name) { fits = isSame(String(pair.dropFirst(name.count))) || fits }
            }
        }
        return fits
    }

    private func isSame(_ text: String) -> Bool {
        let expected = Array(token.utf8)
        let given = Array(text.utf8.prefix(expected.count))
        var difference = UInt8(text.utf8.count == expected.count ? 0 : 1)
        for (index, byte) in expected.enumerated() { difference |= byte ^ (index < given.count ? given[index] : 0) }
        return difference == 0
    }
}
