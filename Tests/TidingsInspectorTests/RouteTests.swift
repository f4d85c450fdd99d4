import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsInspector

@Suite(.timeLimit(.ofRandomPrograms)) struct RouteTests {
    private let center = NativeNotificationCenter()
    private var inspector: Inspector { Inspector(of: center, options: .test) }

    @Test func `the page has a content security policy that allows no script except the page's own`() throws {
        let response = inspector.answer("/")
        #expect(response.status == 200)
        #expect(response.text.hasPrefix("<!doctype html>"))
        let policy = try #require(response.header("Content-Security-Policy"))
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(response.header("Cache-Control") == "no-store")
        #expect(response.header("Referrer-Policy") == "no-referrer")
    }

    @Test func `the token in the address is exchanged for a cookie that scripts and other sites can't read`() throws {
        let inspector = inspector
        let response = inspector.answer("/?token=a-token-that-tests-know", authorization: nil)
        #expect(response.status == 303)
        #expect(response.header("Location") == "./")
        let cookie = try #require(response.header("Set-Cookie"))
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict"))
        let pair = String(cookie.prefix { $0 != ";" })
        let next = inspector.answer("/", [("Cookie", "other=1; \(pair)")], authorization: nil)
        #expect(next.status == 200)
        // Other routes reject a token in the address, because addresses are logged.
        #expect(inspector.answer("/snapshot?token=a-token-that-tests-know", authorization: nil).status == 401)
    }

    @Test(arguments: [
        nil, "Bearer", "Bearer ", "Bearer a-token-that-tests-knox", "Bearer a-token-that-tests-know2", "Basic YTpi",
        "Bearer a-token-that-tests-kno", "a-token-that-tests-know",
    ])
    func `a missing or wrong token is rejected`(authorization: String?) {
        let inspector = inspector
        for target in ["/", "/snapshot", "/events", "/nowhere"] {
            let response = inspector.answer(target, authorization: authorization)
            #expect(response.status == 401)
            #expect(!response.text.contains("a-token"))
        }
        #expect(inspector.answer("/tier?tier=follow", method: "POST", authorization: authorization).status == 401)
        #expect(inspector.tier == .look)
    }

    @Test func `a token may have more than a thousand characters, and all of them count`() {
        var options = Inspector.Options()
        options.token = String(repeating: "a", count: 2000)
        let inspector = Inspector(of: center, options: options)
        let shorter = String(repeating: "a", count: 1999)
        for (token, status) in [(shorter + "a", 200), (shorter, 401), (shorter + "b", 401), (shorter + "aa", 401)] {
            #expect(inspector.answer("/snapshot", authorization: "Bearer \(token)").status == status)
        }
    }

    @Test(arguments: [
        "evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example:80",
        "127.0.0.1@evil.example",
        "127.0.0.1:80:80x", "", "10.0.0.1",
    ])
    func `a foreign host is rejected`(host: String) {
        #expect(inspector.answer("/snapshot", host: host).status == 403)
    }

    @Test func `requests to this machine's own names and to the hosts in the options are accepted`() {
        var options = Inspector.Options.test
        options.hosts = ["Admin.example"]
        let inspector = Inspector(of: center, options: options)
        for host in ["127.0.0.1", "127.0.0.1:8080", "LOCALHOST:1", "[::1]", "[::1]:8080", "admin.example"] {
            #expect(inspector.answer("/snapshot", host: host).status == 200)
        }
        #expect(inspector.answer("/snapshot", [("Host", "evil.example")]).status == 403)
        #expect(
            inspector.respond(
                to: Inspector.Request(
                    method: "GET", target: "/snapshot", headers: [("Authorization", "Bearer \(inspector.token)")])
            ).status == 403)
    }

    @Test(arguments: ["http://evil.example", "null", "http://127.0.0.1:81", "file://"])
    func `a foreign origin is rejected`(origin: String) {
        let inspector = inspector
        #expect(inspector.answer("/tier?tier=follow", method: "POST", [("Origin", origin)]).status == 403)
        #expect(inspector.tier == .look)
        #expect(inspector.answer("/snapshot", [("Sec-Fetch-Site", "cross-site")]).status == 403)
    }

    @Test func `the page opens from a link on another site, and can be reloaded afterwards`() throws {
        let inspector = inspector
        let led = [
            (name: "Sec-Fetch-Site", value: "cross-site"), (name: "Sec-Fetch-Mode", value: "navigate"),
            (name: "Sec-Fetch-Dest", value: "document"),
        ]
        let door = inspector.answer("/?token=a-token-that-tests-know", led, authorization: nil)
        // The response is a small page that opens the inspector's page. After an HTTP redirect, the request for the
        // inspector's page would be cross-site and lack the cookie.
        #expect(door.status == 200 && door.text.contains("http-equiv=\"refresh\""))
        let cookie = try #require(door.header("Set-Cookie")).prefix { $0 != ";" }
        let page = inspector.answer("/", led + [("Cookie", "\(cookie)")], authorization: nil)
        #expect(page.status == 200)
        // A cross-site request is still rejected if it comes from a frame, or if its path isn't the page's path.
        let framed = Array(led.dropLast()) + [(name: "Sec-Fetch-Dest", value: "iframe")]
        #expect(inspector.answer("/", framed + [("Cookie", "\(cookie)")], authorization: nil).status == 403)
        #expect(inspector.answer("/snapshot", led + [("Cookie", "\(cookie)")], authorization: nil).status == 403)
    }

    @Test func `behind a server with TLS, the cookie is marked secure`() {
        let inspector = inspector
        func cookie(_ headers: [(name: String, value: String)]) -> String? {
            inspector.answer("/?token=a-token-that-tests-know", headers, authorization: nil).header("Set-Cookie")
        }
        #expect(cookie([])?.contains("Secure") == false)
        #expect(cookie([("X-Forwarded-Proto", "https")])?.hasSuffix("; HttpOnly; SameSite=Strict; Secure") == true)
        #expect(cookie([("Forwarded", "for=10.0.0.1;proto=https")])?.hasSuffix("; Secure") == true)
    }

    @Test func `details describe an observer, a group or a type`() throws {
        let inspector = inspector
        let token = center.addObserver(for: Ping.self) { _ in }
        let snapshot = try inspector.answer("/snapshot").snapshot
        let (observer, group) = (try #require(snapshot.observers.first), try #require(snapshot.groups.first))
        for query in [
            "observer=\(observer.id)", "group=\(group.id)", "type=\(observer.type)&center=\(observer.center)",
        ] {
            let answer = inspector.answer("/details?\(query)")
            #expect(answer.status == 200)
            let details = try JSONDecoder().decode(InspectorSnapshot.Details.self, from: Data(answer.text.utf8))
            #expect(details.observers.map(\.id) == [observer.id])
        }
        #expect(inspector.answer("/details?observer=none").status == 404)
        #expect(inspector.answer("/details").status == 400)
        token.cancel()
    }

    @Test func `a POST request from the page itself can change the measuring tier`() throws {
        let inspector = inspector
        let page = [(name: "Origin", value: "http://127.0.0.1:80"), (name: "Sec-Fetch-Site", value: "same-origin")]
        let response = inspector.answer("/tier?tier=follow", method: "POST", page)
        #expect(response.status == 200)
        #expect(
            response.text == #"{"tier":"follow","tierEnds":300}"#
                || response.text == #"{"tierEnds":300,"tier":"follow"}"#)
        #expect(inspector.tier == .follow)
        #expect(inspector.answer("/tier?tier=look", method: "POST", page).text == #"{"tier":"look"}"#)
        #expect(inspector.tier == .look)
    }

    @Test func `a snapshot has the selection and the order that the query requests`() throws {
        let inspector = inspector
        let sequences = (center.notifications(of: Ping.self), center.notifications(of: Pong.self))
        let snapshot = try inspector.answer("/snapshot?limit=1&sort=type&order=descending").snapshot
        #expect(snapshot.observers.map(\.type) == ["TidingsInspectorTests.Pong"])
        #expect(try inspector.answer("/snapshot?filter=.p%49Ng").snapshot.observers.count == 1)
        withExtendedLifetime(sequences) {}
    }

    @Test(arguments: [
        ("/nowhere", "GET", 404), ("/../etc/passwd", "GET", 404), ("/snapshot/", "GET", 404), ("/", "POST", 405),
        ("/snapshot", "DELETE", 405), ("/tier?tier=follow", "GET", 405), ("/tier", "POST", 400),
        ("/tier?tier=everything", "POST", 400), ("/snapshot?limit=-1", "GET", 400),
        ("/snapshot?limit=10001", "GET", 400),
        ("/snapshot?sort=nothing", "GET", 400), ("/snapshot?order=up", "GET", 400),
        ("/snapshot?filter=%ff", "GET", 400),
        ("/snapshot?filter=%4", "GET", 400), ("/events?every=0", "GET", 400), ("/events?every=nan", "GET", 400),
        ("", "GET", 400), ("http://127.0.0.1/snapshot", "GET", 400), ("*", "OPTIONS", 400),
    ])
    func `invalid requests get an error`(target: String, method: String, status: Int) {
        let response = inspector.answer(target, method: method)
        #expect(response.status == status)
        #expect(response.text.hasSuffix("\n"))
    }

    /// Makes 100,000 requests if the run has all repetitions, and 5,000 by default.
    @Test(.offThePool) func `mutated requests are answered, and change no state`() throws {
        let inspector = inspector
        let token = center.addObserver(for: Ping.self) { _ in }
        let original = Array(
            "GET /snapshot?limit=10&sort=waiting&filter=%41 HTTP/1.1\r\nHost: 127.0.0.1:80\r\nAuthorization: Bearer x\r\n\r\n"
                .utf8)
        var generator = RepeatableGenerator()
        var statuses: [Int: Int] = [:]
        for number in 0..<repetitions(100_000) {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
                default: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
                }
            }
            var request = Inspector.Request(head: bytes) ?? Inspector.Request(method: "", target: "", headers: [])
            // Every second request passes the access check and reaches the routes.
            let isLetIn = number.isMultiple(of: 2)
            if isLetIn { request.headers = [("Host", "127.0.0.1:80"), ("Authorization", "Bearer \(inspector.token)")] }
            let response = inspector.respond(to: request)
            statuses[response.status, default: 0] += 1
            if !isLetIn { try #require(response.status >= 400) }
        }
        #expect(Set(statuses.keys).isSubset(of: [200, 400, 401, 403, 404, 405]))
        #expect(statuses[200] != nil && statuses[401] != nil)
        #expect(inspector.tier == .look)
        #expect(inspector.snapshot().viewers == 0)
        token.cancel()
    }

    @Test func `a request head is either parsed correctly or rejected`() throws {
        let good = try #require(
            Inspector.Request(head: Array("POST /tier?tier=look HTTP/1.1\r\nHost:  a \r\nX: b:c\r\n\r\n".utf8)))
        #expect(good.method == "POST" && good.target == "/tier?tier=look")
        #expect(good.values(of: "host") == ["a"] && good.values(of: "x") == ["b:c"])
        for bad in [
            "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
            "GET / HTTP/1.1\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n",
            "GET / HTTP/1.1\r\nnothing\r\n\r\n",
            "", "\r\n\r\n", "GET / HTTP/1.1\r\nX: \0\r\n\r\n", String(repeating: "a", count: 20_000),
        ] {
            #expect(Inspector.Request(head: Array(bad.utf8)) == nil)
        }
    }
}

/// Generates the same numbers in each run, so that failures can be reproduced.
struct RepeatableGenerator: RandomNumberGenerator {
    private var state: UInt64 = 42
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
