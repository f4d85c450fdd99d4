import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct RetentionTests {
    private func limits(_ program: RelayedProgram, _ stream: String = "TICKS") async throws -> [String: String] {
        let config = try #require(try await program.ask("STREAM.INFO.\(stream)")?.object("config"))
        return Dictionary(
            config.members.filter { ["max_age", "max_bytes", "max_msgs", "discard"].contains($0.name) }
                .map { ($0.name, String(decoding: $0.value, as: UTF8.self)) }
        ) { $1 }
    }

    @Test func `streams without a configured retention, and their dead letters, are limited in age and bytes`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, stream: "TICKS")])
        for stream in ["TICKS", "TICKS_DEAD"] {
            #expect(
                try await limits(shop, stream) == [
                    "max_age": "604800000000000", "max_bytes": "1073741824", "max_msgs": "-1", "discard": #""old""#,
                ])
        }
        await shop.stop()
        #expect(shop.faults.values == [])
    }

    @Test func `a route's retention applies to new and existing streams, and without retention, limits stay the same`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let route = RelayRoute.durable(Tick.self, .outgoing, stream: "TICKS")
        let small = StreamRetention(age: .seconds(60), bytes: 1_000_000, messages: 3, overflow: .refuseNewest)
        for said in [small, StreamRetention(messages: 2), nil] {
            let shop = try RelayedProgram("shop", server, [said.map(route.retention) ?? route])
            let expected =
                said == small
                ? ["max_age": "60000000000", "max_bytes": "1000000", "max_msgs": "3", "discard": #""new""#]
                : ["max_age": "0", "max_bytes": "-1", "max_msgs": "2", "discard": #""old""#]
            #expect(try await limits(shop) == expected)
            await shop.stop()
            #expect(shop.faults.values == [])
        }
    }

    @Test func `a stream has no limit in bytes if the server has less storage than the limit would reserve`()
        async throws
    {
        let server = try ServerProcess(["-js"], configuration: "jetstream { max_file_store: 3000000 }\n")
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        #expect(try await limits(shop)["max_bytes"] == "-1")
        await shop.stop()
        #expect(shop.faults.values == [])
    }

    @Test func `two routes with different retentions for a stream are rejected`() throws {
        struct Other: RemoteNotification { static let wireName = "test.other" }
        let fault = #expect(throws: RelayFault.self) {
            try NotificationRelay(
                NativeNotificationCenter(), to: NATSServer("nats://127.0.0.1"), as: "shop",
                routes: [
                    .durable(Tick.self, stream: "TICKS").retention(StreamRetention(messages: 1)),
                    .durable(Other.self, stream: "TICKS").retention(StreamRetention(messages: 2)),
                ])
        }
        #expect(fault?.kind == .invalidConfiguration)
    }
}
