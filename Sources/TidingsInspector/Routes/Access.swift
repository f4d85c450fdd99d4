/// Decides which requests are answered: those that have the token, and come neither by a foreign host name nor from a foreign
/// page.
struct Access: Sendable {
    let token: String
    let hosts: Set<String>

    /// Why a request is refused.
    enum Refusal: Sendable {
        case foreignHost, foreignOrigin, noToken
    }

    private static let ownHosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

    /// The name of the cookie. Browsers send a cookie to every port of a host, so inspectors have names of their own; the same
    /// token has the same name, so that a program that is started again with it is let in again.
    var cookie: String {
        // Not secret: 32 bits of a hash that is one way.
        var hash: UInt32 = 2_166_136_261
        for byte in token.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return "tidings-inspector-" + String(hash, radix: 16)
    }

    /// Why a request is refused; `nil` if it is let in.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - query: The token in its query, where that counts.
    ///   - isPage: Whether it asks for the page.
    /// - Returns: The reason.
    func refusal(of request: Inspector.Request, tokenInQuery query: String?, isPage: Bool) -> Refusal? {
        // Two hosts, or none: a server in between may take another one than this.
        let named = request.values(of: "host")
        guard named.count == 1, let host = named.first, isOwn(host) else { return .foreignHost }
        // That of a reload is as it was when the page was opened, from wherever.
        let isNavigation =
            isPage && request.values(of: "sec-fetch-mode") == ["navigate"]
            && request.values(of: "sec-fetch-dest") == ["document"]
        for origin in request.values(of: "origin") where !Self.is(origin, of: host) { return .foreignOrigin }
        // Browsers say it of each request; a page of another site may only lead to the page, which has nothing of the program in it.
        if query == nil, !isNavigation {
            for site in request.values(of: "sec-fetch-site") where site != "same-origin" && site != "none" {
                return .foreignOrigin
            }
        }
        return hasToken(request, query) ? nil : .noToken
    }

    private func isOwn(_ host: String) -> Bool {
        var name = host.lowercased()
        // The port behind the last colon, unless that is one of an address in brackets.
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

    /// Whether a browser says that the page of another site has led here. It sends no cookie of this one then, also not with what this one
    /// redirects it to.
    static func isFromElsewhere(_ request: Inspector.Request) -> Bool {
        request.values(of: "sec-fetch-site").contains { $0 == "cross-site" || $0 == "same-site" }
    }

    /// Whether the request came to a server in front of this one over TLS, as that says.
    static func isEncrypted(_ request: Inspector.Request) -> Bool {
        request.values(of: "x-forwarded-proto").contains { $0.lowercased() == "https" }
            || request.values(of: "forwarded").contains { $0.lowercased().contains("proto=https") }
    }

    private func hasToken(_ request: Inspector.Request, _ query: String?) -> Bool {
        // One that may be guessed, or be empty, lets nobody in.
        guard Token.isToken(token) else { return false }
        // All are compared, whichever fits.
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

    /// Compares a text with the token in a time that does not depend on where they differ.
    private func isSame(_ text: String) -> Bool {
        let given = Array(text.utf8.prefix(1024))
        let expected = Array(token.utf8)
        var difference = UInt8(text.utf8.count == expected.count ? 0 : 1)
        for (index, byte) in expected.enumerated() { difference |= byte ^ (index < given.count ? given[index] : 0) }
        return difference == 0
    }
}
