import FlyingSocks
import Foundation
import TestSupport
import Testing
import TidingsTesting

@testable import Tidings
@testable import TidingsInspector

private struct Ping: TypedNotification, Sendable {}

@Suite(.serialized, .offThePool) struct ServerTests {
    private let center = NativeNotificationCenter()

    private struct Served {
        let inspector: Inspector
        let port: UInt16

        func get(_ target: String, _ headers: [String] = []) async throws -> String {
            let lines = ["GET \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + headers
            return try await Client(port).exchange(lines.joined(separator: "\r\n") + "\r\n\r\n")
        }

        var bearer: String { "Authorization: Bearer \(inspector.token)" }
    }

    private func serve() async throws -> Served {
        let inspector = Inspector(of: center)
        let address = try await inspector.serve { _ in }
        let url = try #require(URL(string: address))
        #expect(url.host() == "127.0.0.1")
        #expect(address.hasSuffix("/?token=\(inspector.token)"))
        return Served(inspector: inspector, port: UInt16(try #require(url.port)))
    }

    @Test func `the server serves the page, the cookie, a snapshot and a stream`() async throws {
        let served = try await serve()
        defer { served.inspector.stop() }
        let token = center.addObserver(for: Ping.self) { _ in }
        let first = try await served.get("/?token=\(served.inspector.token)")
        #expect(first.hasPrefix("HTTP/1.1 303 "))
        let cookie = try #require(first.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") })
        let pair = cookie.dropFirst("Set-Cookie: ".count).prefix { $0 != ";" }
        #expect(try await served.get("/", ["Cookie: \(pair)"]).contains("<!doctype html>"))

        let answer = try await served.get("/snapshot", [served.bearer])
        let body = try #require(answer.components(separatedBy: "\r\n\r\n").last)
        let snapshot = try JSONDecoder().decode(InspectorSnapshot.self, from: Data(body.utf8))
        #expect(snapshot.observers.count == 1)

        let client = try await Client(served.port)
        try await client.socket.write(
            Data("GET /events?every=0.1 HTTP/1.1\r\nHost: localhost\r\n\(served.bearer)\r\n\r\n".utf8))
        var text = ""
        while text.components(separatedBy: "event: snapshot").count < 4 { text += try await client.read() }
        #expect(text.contains("Content-Type: text/event-stream"))
        try client.socket.close()
        token.cancel()
    }

    @Test func `requests without a token, with a foreign host or with a foreign origin are rejected`() async throws {
        let served = try await serve()
        defer { served.inspector.stop() }
        #expect(try await served.get("/snapshot").hasPrefix("HTTP/1.1 401 "))
        #expect(try await served.get("/snapshot", [served.bearer, "Host: evil.example"]).hasPrefix("HTTP/1.1 403 "))
        #expect(
            try await served.get("/snapshot", [served.bearer, "Origin: http://evil.example"]).hasPrefix("HTTP/1.1 403 ")
        )
        #expect(try await Client(served.port).exchange("nonsense\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
        // The head is only one byte too long, so the server reads all of it. If the server closed the connection with
        // bytes unread, the system might discard the response.
        let endless = "GET /" + String(repeating: "a", count: Inspector.Request.longestHead + 1 - 5)
        #expect(try await Client(served.port).exchange(endless).hasPrefix("HTTP/1.1 400 "))
    }

    @Test func `a thousand connections block neither the program nor the next request`() async throws {
        let served = try await serve()
        defer { served.inspector.stop() }
        let token = center.addObserver(for: Ping.self) { _ in }
        var clients: [Client] = []
        // The connections send nothing. The loop ends early if the process has too few file descriptors.
        for _ in 0..<1000 {
            guard let client = try? await Client(served.port) else { break }
            clients.append(client)
        }
        #expect(clients.count > 100)
        #expect(center.post(Ping()) == 1)
        // The server closes connections that send no request, so the last client reads no bytes.
        let last = try #require(clients.last)
        #expect((try? await last.socket.read(atMost: 1))?.isEmpty ?? true)
        for client in clients { try? client.socket.close() }
        var answer = ""
        while !answer.hasPrefix("HTTP/1.1 200 ") {
            answer = (try? await served.get("/snapshot", [served.bearer])) ?? ""
        }
        token.cancel()
    }

    @Test
    func `a viewer that never reads has one queued snapshot, and delays neither other viewers nor posts`() async throws
    {
        let served = try await serve()
        defer { served.inspector.stop() }
        // The snapshots list 3000 observers, so a few snapshots fill the buffers of the connection.
        let tokens = (0..<3000).map { _ in center.addObserver(for: Ping.self) { _ in } }
        let silent = try await Client(served.port)
        try await silent.socket.write(
            Data("GET /events?every=0.1&limit=10000 HTTP/1.1\r\nHost: localhost\r\n\(served.bearer)\r\n\r\n".utf8))
        var iterator = served.inspector.snapshots(every: .milliseconds(100)).makeAsyncIterator()
        var sequence = 0
        // Once the silent viewer is blocked, the server takes no snapshots for it, so the snapshots of `iterator` have
        // consecutive numbers.
        var calm = 0
        while calm < 5 {
            let snapshot = try #require(await iterator.next())
            calm = snapshot.sequence == sequence + 1 ? calm + 1 : 0
            sequence = snapshot.sequence
            #expect(center.post(Ping()) == 3000)
        }
        #expect(try await served.get("/snapshot?limit=1", [served.bearer]).hasPrefix("HTTP/1.1 200 "))
        try silent.socket.close()
        for token in tokens { token.cancel() }
    }

    @Test func `five hundred silent connections don't block other clients`() async throws {
        let served = try await serve()
        defer { served.inspector.stop() }
        var idle: [Client] = []
        for _ in 0..<500 { idle.append(try await Client(served.port)) }
        // These requests are served before the silent connections time out, because each request displaces a silent
        // connection.
        for _ in 0..<20 {
            #expect(try await served.get("/snapshot", [served.bearer]).hasPrefix("HTTP/1.1 200 "))
        }
        for client in idle { try? client.socket.close() }
    }

    @Test func `viewers stay connected while other connections are silent`() async throws {
        let served = try await serve()
        defer { served.inspector.stop() }
        let client = try await Client(served.port)
        try await client.socket.write(
            Data("GET /events?every=0.1 HTTP/1.1\r\nHost: localhost\r\n\(served.bearer)\r\n\r\n".utf8))
        var text = try await client.read()
        var idle: [Client] = []
        for _ in 0..<200 { idle.append(try await Client(served.port)) }
        let known = text.components(separatedBy: "event: snapshot").count
        while text.components(separatedBy: "event: snapshot").count < known + 3 { text += try await client.read() }
        for client in idle + [client] { try? client.socket.close() }
    }

    @Test func `the server answers while every thread of the cooperative pool is blocked`() async throws {
        // The server runs in a separate process, because all tests share the pool of this one.
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
            path: "InspectorProbe")
        process.standardOutput = output
        process.standardInput = Pipe()
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        var line = ""
        while !line.hasSuffix("\n"), let bytes = try output.fileHandleForReading.read(upToCount: 1), !bytes.isEmpty {
            line += String(decoding: bytes, as: UTF8.self)
        }
        let url = try #require(URL(string: line.trimmingCharacters(in: .newlines)))
        let port = UInt16(try #require(url.port))
        let token = try #require(url.query()?.split(separator: "=").last)
        func look() async throws -> InspectorSnapshot {
            let answer = try await Client(port).exchange(
                "GET /snapshot HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n")
            let body = try #require(answer.components(separatedBy: "\r\n\r\n").last)
            return try JSONDecoder().decode(InspectorSnapshot.self, from: Data(body.utf8))
        }
        var snapshot = try await look()
        #expect(snapshot.stuck.count == snapshot.observers.count && snapshot.stuck.count >= 2)
        #expect(snapshot.stuck.allSatisfy { $0.runningFor != nil || $0.oldestWait != nil })
        // One warning names the pool and the calls that occupy it. The observer that waits for a thread causes no
        // separate warning.
        while snapshot.warnings.first?.kind != .blockedPool { snapshot = try await look() }
        let living = snapshot.warnings.filter { $0.recovered == nil }
        #expect(living.first?.text.contains("1 observer waits for it; calls that run in it: ") == true)
        #expect(living.first?.severity == .alarm && living.first?.place?.contains("main.swift:") == true)
        #expect(living.count == 1 + snapshot.observers.count(where: \.running))
    }

    @Test
    func `a port in use, an unavailable address and an invalid token cause errors with descriptions`() async throws {
        let served = try await serve()
        defer { served.inspector.stop() }
        let other = Inspector(of: center)
        let inUse = await #expect(throws: InspectorServerError.self) { try await other.serve(port: served.port) }
        #expect(inUse?.code == .portInUse)
        #expect(inUse?.description.contains("because the port is in use") == true)
        let nobody = await #expect(throws: InspectorServerError.self) { try await other.serve(on: "203.0.113.7") }
        #expect(nobody?.code == .addressRefused)
        for token in ["", "tiny1", "a token with spaces in it", "hunter2-hunter2"] {
            var options = Inspector.Options()
            options.token = token
            let inspector = Inspector(of: center, options: options)
            let error = await #expect(throws: InspectorServerError.self) { try await inspector.serve() }
            #expect(error?.code == .token)
            #expect(token.isEmpty || error?.description.contains(token) == false)
            let request = Inspector.Request(
                method: "GET", target: "/?token=\(token)",
                headers: [("Host", "localhost"), ("Authorization", "Bearer \(token)")])
            #expect(inspector.respond(to: request).status >= 400)
        }
    }

    private static func residentMemory() throws -> Double {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
        return Double(pages).map { $0 * 4096 / 1_048_576 } ?? 0
    }

    #if os(Linux)
        @Test func `memory doesn't grow with silent connections, endless request heads, and viewers that never read`()
            async throws
        {
            let served = try await serve()
            defer { served.inspector.stop() }
            let tokens = (0..<500).map { _ in center.addObserver(for: Ping.self) { _ in } }
            func attack() async {
                var clients: [Client] = []
                for number in 0..<200 {
                    guard let client = try? await Client(served.port) else { break }
                    clients.append(client)
                    let head =
                        switch number % 4 {
                        case 0: ""
                        case 1: "GET /" + String(repeating: "a", count: 15_000)
                        case 2: "GET /snapshot HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(number)\r\n\r\n"
                        default: "GET /events?every=0.1 HTTP/1.1\r\nHost: localhost\r\n\(served.bearer)\r\n\r\n"
                        }
                    try? await client.socket.write(Data(head.utf8))
                }
                for client in clients { try? client.socket.close() }
                // A successful request shows that the server has noticed the closed connections.
                while (try? await served.get("/snapshot?limit=1", [served.bearer]))?.hasPrefix("HTTP/1.1 200 ") != true
                {}
            }
            for _ in 0..<5 { await attack() }
            let before = try Self.residentMemory()
            for _ in 0..<20 { await attack() }
            let grown = try Self.residentMemory() - before
            #expect(grown < 16, "\(grown) MB more")
            #expect(center.post(Ping()) == 500)
            for token in tokens { token.cancel() }
        }
    #endif

    @Test func `a stream receives an end event when the inspector is stopped`() async throws {
        let served = try await serve()
        let client = try await Client(served.port)
        try await client.socket.write(
            Data("GET /events?every=60 HTTP/1.1\r\nHost: localhost\r\n\(served.bearer)\r\n\r\n".utf8))
        var text = ""
        while !text.contains("event: snapshot") { text += try await client.read() }
        served.inspector.stop()
        while let more = try? await client.read(), !more.isEmpty { text += more }
        #expect(text.hasSuffix("\n\nevent: end\ndata: {\"reason\":\"the inspector has ended the stream\"}\n\n"))
        try client.socket.close()
    }

    @Test func `a stopped server accepts no connection, and its port can be used again`() async throws {
        let served = try await serve()
        served.inspector.stop()
        while (try? await served.get("/snapshot", [served.bearer]))?.isEmpty == false {}
        let again = Inspector(of: center)
        var address: String?
        while address == nil { address = try? await again.serve(port: served.port) { _ in } }
        #expect(address?.contains(":\(served.port)/") == true)
        again.stop()
    }
}
