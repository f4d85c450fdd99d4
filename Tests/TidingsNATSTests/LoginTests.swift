import Foundation
import TestSupport
import Testing
import Tidings
import TidingsRelay
import TidingsTesting

@Suite(.timeLimit(.ofServers)) struct LoginTests {
    private func expectRelay(_ server: NATSServer) async throws {
        let first = try RelayedProgram("first", server, [.transient(Tick.self)])
        let second = try RelayedProgram("second", server, [.transient(Tick.self)])
        await first.relay.waitUntilReady()
        await second.relay.waitUntilReady()
        // The notifications fill more than one TLS record.
        for number in 0..<2000 { first.center.post(Tick(poster: 1, number: number)) }
        await second.received.wait(for: 2000)
        #expect(second.received.values.map(\.number) == Array(0..<2000))
        await first.stop()
        await second.stop()
        #expect(first.faults.values == [] && second.faults.values == [])
    }

    private func expectRefusal(_ server: NATSServer, _ kind: RelayFault.Kind) async throws {
        let stranger = try RelayedProgram("stranger", server, [.transient(Tick.self)])
        _ = await stranger.fault(kind)
        await stranger.relay.finish(within: .zero)
    }

    @Test func `a program logs in with a user and a password`() async throws {
        let server = try ServerProcess(["--user", "me", "--pass", "secret"])
        try await server.start()
        var way = NATSServer(server.address)
        try await expectRefusal(way, .permissionDenied)
        way.login = .user("me", password: "secret")
        try await expectRelay(way)
    }

    @Test func `a program logs in with a token`() async throws {
        let server = try ServerProcess(["--auth", "secret"])
        try await server.start()
        var way = NATSServer(server.address)
        way.login = .token("secret")
        try await expectRelay(way)
        way.login = .token("wrong")
        try await expectRefusal(way, .permissionDenied)
    }

    @Test func `an encrypted connection is accepted only if the server's certificate is trusted`() async throws {
        let keys = try KeyFolder()
        try keys.makeCertificate(for: "localhost")
        let server = try ServerProcess(
            ["--tls", "--tlscert", keys.path("server.crt"), "--tlskey", keys.path("server.key")])
        try await server.start()
        var way = NATSServer("tls://localhost:\(server.port)")
        try await expectRefusal(way, .cannotConnect)
        way.encryption = NATSServer.Encryption()
        way.encryption?.authorities = keys.path("server.crt")
        try await expectRelay(way)
        way.encryption?.serverName = "somewhere.else"
        try await expectRefusal(way, .cannotConnect)
    }

    @Test func `a program presents its client certificate if the server requests one`() async throws {
        let keys = try KeyFolder()
        try keys.makeCertificate(for: "localhost")
        let server = try ServerProcess([
            "--tlsverify", "--tlscert", keys.path("server.crt"), "--tlskey", keys.path("server.key"), "--tlscacert",
            keys.path("server.crt"),
        ])
        try await server.start()
        var way = NATSServer("tls://localhost:\(server.port)")
        way.encryption = NATSServer.Encryption()
        way.encryption?.authorities = keys.path("server.crt")
        try await expectRefusal(way, .cannotConnect)
        // The server's certificate is self-signed and is its own authority, so the client can present the same one.
        way.encryption?.certificate = keys.path("server.crt")
        way.encryption?.key = keys.path("server.key")
        try await expectRelay(way)
        way.encryption?.key = keys.path("none.key")
        try await expectRefusal(way, .cannotConnect)
    }

    @Test func `a program logs in with a user's credentials that an account has signed`() async throws {
        let keys = try KeyFolder()
        let (authority, account, user) = try (keys.makeKey("O"), keys.makeKey("A"), keys.makeKey("U"))
        let authorityToken = try authority.sign(#""name":"o","nats":{"type":"operator","version":2}"#, for: authority)
        let limits =
            #"{"subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"wildcards":true,"conn":-1,"leaf":-1}"#
        let accountToken = try authority.sign(
            #""name":"a","nats":{"limits":\#(limits),"type":"account","version":2}"#, for: account)
        let userToken = try account.sign(
            #""name":"u","nats":{"pub":{},"sub":{},"subs":-1,"data":-1,"payload":-1,"type":"user","version":2}"#,
            for: user)
        let server = try ServerProcess(
            [],
            configuration: """
                operator: \(authorityToken)
                resolver: MEMORY
                resolver_preload: { \(account.publicText): \(accountToken) }
                """)
        try await server.start()
        try keys.write(
            "user.creds",
            """
            -----BEGIN NATS USER JWT-----
            \(userToken)
            ------END NATS USER JWT------

            -----BEGIN USER NKEY SEED-----
            \(user.seedText)
            ------END USER NKEY SEED------

            """)
        var way = NATSServer(server.address)
        try await expectRefusal(way, .permissionDenied)
        way.login = .credentials(file: keys.path("user.creds"))
        try await expectRelay(way)
        way.login = .credentials(file: keys.path("none.creds"))
        try await expectRefusal(way, .cannotConnect)
    }

    @Test func `a program logs in with a key that the server's configuration contains`() async throws {
        let keys = try KeyFolder()
        let user = try keys.makeKey("U")
        try keys.write("user.seed", user.seedText)
        let server = try ServerProcess(
            [], configuration: "authorization { users = [ { nkey: \(user.publicText) } ] }\n")
        try await server.start()
        var way = NATSServer(server.address)
        way.login = .key(user.publicText, seedFile: keys.path("user.seed"))
        try await expectRelay(way)
    }
}
