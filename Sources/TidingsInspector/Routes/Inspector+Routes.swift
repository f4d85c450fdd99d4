import Tidings

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Inspector {
    private static let longestTarget = 4096

    /// Responds to a request with the page, a snapshot or a stream of snapshots. <doc:TheSnapshot> lists the routes.
    ///
    /// Every request gets a response. Your server must pass on the headers unmodified, especially `Host`.
    ///
    /// - Parameter request: The request. Its path is relative to the path of the inspector, which ends in a slash.
    /// - Returns: The response.
    public func respond(to request: Request) -> Response {
        guard request.target.utf8.count <= Self.longestTarget, request.target.hasPrefix("/") else {
            return .text(400, "the request has no path, or its path is longer than \(Self.longestTarget) bytes")
        }
        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        do throws(Query.Failure) {
            return try answer(request, String(parts[0]), Query(parts.count > 1 ? parts[1] : ""))
        } catch {
            return .text(400, error.text)
        }
    }

    private func answer(_ request: Request, _ path: String, _ query: Query) throws(Query.Failure) -> Response {
        let access = Access(token: token, hosts: options.hosts.union(state.withLock { $0.hosts }))
        let tokenInQuery = path == "/" && request.method == "GET" ? query["token"] : nil
        let isPage = path == "/" && request.method == "GET"
        switch access.refusal(of: request, tokenInQuery: tokenInQuery, isPage: isPage) {
        case .foreignHost: return .text(403, "the inspector does not accept the host of the request")
        case .foreignOrigin: return .text(403, "the request comes from a page of another site")
        case .noToken:
            return .text(
                401, "the request has no token, or a wrong one: open the address that the program has printed",
                [("WWW-Authenticate", "Bearer")])
        case nil: break
        }
        switch (path, request.method) {
        case ("/", "GET"):
            return tokenInQuery == nil
                ? .page
                : .door(
                    "\(access.cookie)=\(token); HttpOnly; SameSite=Strict"
                        + (options.isSecure || Access.isEncrypted(request) ? "; Secure" : ""),
                    isFromElsewhere: Access.isFromElsewhere(request))
        case ("/snapshot", "GET"): return .encoding(snapshot(try query.selection()))
        case ("/details", "GET"): return try details(query)
        case ("/events", "GET"): return try stream(query)
        case ("/tier", "POST"): return try changeTier(query)
        case ("/stored", "GET"): return .encoding(stored)
        case ("/stored", "POST"): return try changeStored(query)
        case ("/", _), ("/snapshot", _), ("/events", _), ("/details", _):
            return .text(405, "the method must be GET", [("Allow", "GET")])
        case ("/stored", _): return .text(405, "the method must be GET or POST", [("Allow", "GET, POST")])
        case ("/tier", _): return .text(405, "the method must be POST", [("Allow", "POST")])
        default: return .text(404, "there is nothing at this path")
        }
    }

    private func details(_ query: Query) throws(Query.Failure) -> Response {
        let details: InspectorSnapshot.Details?
        if let observer = query["observer"] {
            details = self.details(ofObserver: observer)
        } else if let group = query["group"] {
            details = self.details(ofGroup: group)
        } else if let type = query["type"], let center = query["center"] {
            details = self.details(ofType: type, in: center)
        } else {
            throw Query.Failure(text: "the query must name an observer, a group, or a type and its center")
        }
        return details.map { .encoding($0) } ?? .text(404, "the requested object no longer exists")
    }

    private func stream(_ query: Query) throws(Query.Failure) -> Response {
        let interval = try query.interval()
        let selection = try query.selection()
        guard let place = ViewerPlace(self, every: interval) else {
            return .text(503, "too many streams are open", [("Retry-After", "5")])
        }
        let snapshots = Snapshots(inspector: self, interval: interval, selection: selection, place: place)
        return .whole(200, "text/event-stream; charset=utf-8", .events(EventStream(snapshots: snapshots)))
    }

    private struct TierAnswer: Codable {
        let tier: InspectorSnapshot.Tier
        let tierEnds: Double?
    }

    private func changeTier(_ query: Query) throws(Query.Failure) -> Response {
        guard let tier = query["tier"].flatMap(InspectorSnapshot.Tier.init) else {
            throw Query.Failure(text: "tier must be look, count or follow")
        }
        measure(tier)
        return .encoding(TierAnswer(tier: tier, tierEnds: tier == .look ? nil : options.measuringTime.inSeconds))
    }
}

extension Inspector.Response {
    private static let careful = [
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    private static let policy =
        "default-src 'none'; script-src \(embeddedScripts); style-src \(embeddedStyles); connect-src 'self'; "
        + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    fileprivate static func whole(
        _ status: Int, _ type: String, _ body: Body, _ more: [(String, String)] = []
    ) -> Inspector.Response {
        let headers = [("Content-Type", type)] + careful + more
        return Inspector.Response(status: status, headers: headers.map { (name: $0.0, value: $0.1) }, body: body)
    }

    static func text(_ status: Int, _ text: String, _ more: [(String, String)] = []) -> Inspector.Response {
        whole(status, "text/plain; charset=utf-8", .bytes(Array("\(text)\n".utf8)), more)
    }

    fileprivate static var page: Inspector.Response {
        whole(
            200, "text/html; charset=utf-8", .bytes(Array("\(embeddedPage)".utf8)),
            [("Content-Security-Policy", policy)])
    }

    /// The response to a request whose query contains the token. The response sets the cookie, and directs the browser
    /// to the address without the token.
    fileprivate static func door(_ cookie: String, isFromElsewhere: Bool) -> Inspector.Response {
        if !isFromElsewhere {
            return text(
                303, "the page is at this address without the token", [("Location", "./"), ("Set-Cookie", cookie)])
        }
        // After a redirect, the browser would still attribute the request to the other site, and omit the cookie. The
        // browser sends the cookie only with requests from a page of the inspector itself, such as this small page.
        let page =
            "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url=./\">"
            + "<title>Tidings inspector</title><a href=\"./\">Open the page</a>\n"
        return whole(
            200, "text/html; charset=utf-8", .bytes(Array(page.utf8)),
            [("Set-Cookie", cookie), ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")])
    }

    static func encoding(_ value: some Encodable) -> Inspector.Response {
        whole(200, "application/json", .bytes(encode(value)))
    }

    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // Encoding can't fail, because all keys are strings, and numbers that JSON lacks are encoded as strings.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return (try? encoder.encode(value)).map { Array($0) } ?? Array("{}".utf8)
    }
}

extension Inspector {
    /// A stream of snapshots as server-sent events. Each element is a part of the response's body.
    ///
    /// The next part is created only after the previous one was read. A connection that isn't read therefore has at
    /// most one pending part, and delays no other connection. The stream is counted in
    /// ``InspectorSnapshot/viewers`` until it is released.
    public struct EventStream: AsyncSequence, Sendable {
        let snapshots: Snapshots

        /// Creates an iterator over the parts of the response's body.
        public func makeAsyncIterator() -> Iterator { Iterator(snapshots: snapshots.makeAsyncIterator()) }

        /// An iterator over the parts of the response's body.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var snapshots: Snapshots.Iterator
            fileprivate var parts = EventParts()

            /// Returns the next part, or `nil` at the end.
            public mutating func next() async -> [UInt8]? {
                parts.hasEnded ? nil : parts.next(await snapshots.next())
            }
        }
    }

    struct EventParts: Sendable {
        private enum Step { case first, next, end }
        private var step = Step.first

        var hasEnded: Bool { step == .end }

        mutating func next(_ snapshot: InspectorSnapshot?) -> [UInt8]? {
            if hasEnded { return nil }
            guard let snapshot else {
                step = .end
                return Array("event: end\ndata: {\"reason\":\"the inspector has ended the stream\"}\n\n".utf8)
            }
            let head = step == .first ? "retry: 1000\n" : ""
            step = .next
            return Array("\(head)event: snapshot\nid: \(snapshot.sequence)\ndata: ".utf8)
                + Inspector.Response.encode(snapshot) + Array("\n\n".utf8)
        }
    }
}
