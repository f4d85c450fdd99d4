import FlyingFox
import Foundation
import Hummingbird
import HummingbirdTesting
import MountedInspector
import Testing
import Tidings
import TidingsInspector

@Suite struct MountedInspectorTests {
    private let center = NativeNotificationCenter()
    private let inspector: Inspector

    init() {
        var options = Inspector.Options()
        options.token = "a-token-that-tests-know"
        options.hosts = ["shop.example"]
        inspector = Inspector(of: center, options: options)
    }

    @Test func `Hummingbird serves the page, the snapshot and the tier`() async throws {
        let router = Router()
        router.mount(inspector, at: "/inspector/")
        let authorization: HTTPFields = [.authorization: "Bearer \(inspector.token)"]
        try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
            .test(.live) { client in
                try await client.execute(uri: "/inspector/snapshot", method: .get) {
                    #expect($0.status == .unauthorized)
                }
                try await client.execute(uri: "/inspector/", method: .get, headers: authorization) {
                    #expect($0.status == .ok)
                    #expect($0.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
                }
                try await client.execute(uri: "/inspector/?token=\(inspector.token)", method: .get) {
                    #expect($0.status == .seeOther)
                    #expect($0.headers[.location] == "./")
                }
                // A proxy that terminates TLS forwards the requested host and the scheme.
                let proxied: HTTPFields = [.init("X-Forwarded-Proto")!: "https"]
                try await client.execute(
                    uri: "/inspector/?token=\(inspector.token)", method: .get, headers: proxied
                ) {
                    #expect($0.status == .seeOther)
                    #expect($0.headers[.setCookie]?.hasSuffix("; HttpOnly; SameSite=Strict; Secure") == true)
                }
                try await client.execute(uri: "/inspector/tier?tier=follow", method: .post, headers: authorization) {
                    #expect($0.status == .ok)
                }
                try await client.execute(uri: "/inspector/snapshot?limit=1", method: .get, headers: authorization) {
                    let snapshot = try JSONDecoder().decode(
                        InspectorSnapshot.self, from: Data($0.body.readableBytesView))
                    #expect(snapshot.tier == .follow)
                }
            }
    }

    @Test(.enabled(if: Proxy.isInstalled))
    func `behind nginx with TLS, the link leads to the page, the cookie is Secure, and the stream arrives`()
        async throws
    {
        let router = Router()
        router.mount(inspector, at: "/inspector/")
        try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
            .test(.live) { client in
                let (port, token) = (try #require(client.port), inspector.token)
                // This code blocks until other programs respond, so it runs on its own thread.
                try await onOwnThread {
                    let proxy = try Proxy(to: port)
                    defer { proxy.stop() }
                    #expect(try proxy.answer(to: "/inspector/").contains("401"))
                    let entered = try proxy.answer(to: "/inspector/?token=\(token)")
                    #expect(entered.contains("303") && entered.contains("; HttpOnly; SameSite=Strict; Secure"))
                    // The request has the cookie, which curl only sends over TLS.
                    #expect(try proxy.answer(to: "/inspector/").contains("200"))
                    let tier = try proxy.answer(
                        to: "/inspector/tier?tier=count",
                        ["--request", "POST", "--header", "Origin: https://shop.example"])
                    #expect(tier.contains("200"))
                    let foreign = try proxy.answer(
                        to: "/inspector/tier?tier=look",
                        ["--request", "POST", "--header", "Origin: https://other.example"])
                    #expect(foreign.contains("403"))
                    #expect(try proxy.stream("/inspector/events", until: "event: snapshot"))
                }
            }
    }

    @Test func `FlyingFox serves the snapshot and a stream`() async throws {
        let server = HTTPServer(port: 0)
        await server.appendRoute("/inspector/*", to: InspectorHandler(inspector, at: "/inspector/"))
        let handler = InspectorHandler(inspector, at: "/inspector/")
        func request(_ path: String) -> FlyingFox.HTTPRequest {
            FlyingFox.HTTPRequest(
                method: .GET, version: .http11, path: "/inspector/\(path)", query: [],
                headers: [HTTPHeader("Host"): "localhost", .authorization: "Bearer \(inspector.token)"], body: Data())
        }
        let response = try await handler.handleRequest(request("snapshot"))
        #expect(response.statusCode.code == 200)
        let snapshot = try JSONDecoder().decode(InspectorSnapshot.self, from: try await response.bodyData)
        #expect(snapshot.observers.isEmpty)

        let stream = try await handler.handleRequest(request("events"))
        guard case .httpBody(let body) = stream.payload else { throw CancellationError() }
        var text = ""
        for try await part in body {
            text += String(decoding: part, as: UTF8.self)
            if text.contains("event: snapshot") { break }
        }
        #expect(text.contains("retry: 1000"))
    }
}
