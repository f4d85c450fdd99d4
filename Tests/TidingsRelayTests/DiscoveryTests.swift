import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct DiscoveryTests {
    private typealias Program = NotificationRelayTests.Program

    @Test func `a program with a version answers NATS service discovery with its identity and statistics`()
        async throws
    {
        let server = MemoryServer()
        let tool = try await server.connect { _ in }
        let answers = ReceivedValues<String>()
        let inbox = try tool.subscribe("_INBOX.tool", group: nil) {
            answers.append(String(decoding: $0.bytes, as: UTF8.self))
        }
        func ask(_ subject: String) -> [String] {
            let count = answers.count
            _ = tool.publish(RelayMessage(subject, reply: "_INBOX.tool", text: ""))
            return Array(answers.values[count...])
        }
        let shop = try Program("shop", server) { ($0.version, $0.instance) = ("1.4.2", "a") }
        let poster = try Program("poster", server, NativeNotificationCenter(), [.transient(Tick.self, .outgoing)])
        await shop.relay.waitUntilReady()
        await poster.relay.waitUntilReady()
        for number in 0..<3 { poster.post(number) }
        _ = tool.publish(RelayMessage("tidings.test.tick.v1", text: "no event"))

        let identity = #""name":"shop","id":"a","version":"1.4.2","metadata":{}"#
        let ping = [#"{"type":"io.nats.micro.v1.ping_response",\#(identity)}"#]
        #expect(ask("$SRV.PING") == ping && ask("$SRV.PING.shop") == ping && ask("$SRV.PING.shop.a") == ping)
        for subject in ["$SRV.PING.office", "$SRV.PING.shop.b", "$SRV.PING.shop.a.b", "$SRV.OTHER", "$SRV"] {
            #expect(ask(subject) == [], "\(subject)")
        }
        let info = try #require(ask("$SRV.INFO.shop").first)
        #expect(
            info.hasPrefix(#"{"type":"io.nats.micro.v1.info_response",\#(identity),"description":"","endpoints":["#))
        #expect(info.contains(#"{"name":"test_tick","subject":"tidings.test.tick.*","queue_group":"","metadata":{}"#))
        let stats = try #require(ask("$SRV.STATS").first)
        #expect(stats.contains(#""num_requests":4,"num_errors":1,"last_error":"undecodable"#))
        let members = try JSONMembers(Array(stats.utf8))
        #expect(members.string("started")?.hasSuffix("Z") == true && members.string("type")?.contains("stats") == true)
        await shop.stop()
        await poster.stop()
        withExtendedLifetime(inbox) {}
    }

    @Test func `a program's permissions cover its routes, its instance and its version, without duplicates`() throws {
        var options = RelayOptions(name: "office")
        options.inboxPrefix = "_INBOX_office"
        func permissions(_ routes: [RelayRoute], redriving: Bool = false) throws -> RelayPermissions {
            try options.permissions(for: routes, redrivingDeadLetters: redriving)
        }
        let posting = [RelayRoute.transient(Tick.self, .outgoing), .durable(Placed.self, .outgoing, stream: "ORDERS")]
        let streams = ["INFO", "CREATE", "UPDATE"].map { "$JS.API.STREAM.\($0).ORDERS" }
        #expect(try permissions(posting).publish == ["tidings.test.tick.*", "tidings.orders.placed.*.~.*"] + streams)
        #expect(try permissions(posting).subscribe == ["_INBOX_office.>"])
        let redriving = try permissions(posting, redriving: true).publish
        #expect(redriving.contains("$JS.API.STREAM.MSG.DELETE.ORDERS_DEAD") && Set(redriving).count == redriving.count)
        (options.instance, options.version) = ("a", "1.0.0")
        let both = try permissions([.transient(Tick.self)])
        #expect(both.publish == ["tidings-here.office.a", "tidings.test.tick.*"])
        #expect(both.subscribe == ["$SRV.>", "tidings-here.office.a", "tidings.test.tick.*", "_INBOX_office.>"])
        #expect(both.responds && both.description.contains("allow_responses: true"))
        #expect(throws: RelayFault.self) { try permissions([.durable(Tick.self, stream: "no name")]) }
    }
}
