import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct ConsumerTests {
    private func servers(
        isEncrypted: Bool = false
    ) async throws -> (server: ServerProcess, shop: RelayedProgram) {
        let server = try ServerProcess(isEncrypted: isEncrypted)
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        return (server, shop)
    }

    @Test(arguments: [RelayRoute.Resumption.behindTheLast, .stored], [false, true])
    func `no message is skipped if a consumer is removed while its program is down`(
        resumption: RelayRoute.Resumption, isEncrypted: Bool
    ) async throws {
        let (server, shop) = try await servers(isEncrypted: isEncrypted)
        func office() throws -> RelayedProgram {
            let route = RelayRoute.durable(Tick.self, .incoming, stream: "TICKS")
            return try RelayedProgram("office", server, [route.consuming { $0.resumption = resumption }])
        }
        let first = try office()
        await first.relay.waitUntilReady()
        for number in 0..<100 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        await first.received.wait(for: 100)
        await first.stop()
        for number in 100..<1100 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        try await shop.ask("CONSUMER.DELETE.TICKS.office-test_tick")
        let second = try office()
        let beginning = resumption == .stored ? 0 : 100
        await second.received.wait(for: 1100 - beginning)
        #expect(await second.relay.catchUp(within: .seconds(600)))
        await second.stop()
        #expect(second.received.values.map(\.number) == Array(beginning..<1100))
        #expect(second.faults.values.map(\.kind) == [.consumerLost])
        let words = resumption == .stored ? "the oldest" : "after number 100"
        #expect(second.faults.values.first?.detail.contains(words) == true)
        #expect(first.faults.values == [])
        await shop.stop()
    }

    @Test func `a consumer starts with the first message of its stream if the stream was created again`()
        async throws
    {
        let (server, shop) = try await servers()
        let first = try RelayedProgram("office", server, [.durable(Tick.self, .incoming, stream: "TICKS")])
        await first.relay.waitUntilReady()
        for number in 0..<100 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        await first.received.wait(for: 100)
        await first.stop()
        try await shop.ask("STREAM.DELETE.TICKS")
        // The first post after the removal makes the relay create the stream again.
        for number in 100..<110 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        let second = try RelayedProgram("office", server, [.durable(Tick.self, .incoming, stream: "TICKS")])
        await second.received.wait(for: 10)
        await second.stop()
        #expect(second.received.values.map(\.number) == Array(100..<110))
        #expect(second.faults.values.map(\.kind) == [.consumerLost])
        await shop.stop()
    }

    @Test func `no message is lost or repeated if a consumer is removed while its program runs`() async throws {
        let (server, shop) = try await servers()
        let office = try RelayedProgram("office", server, [.durable(Tick.self, .incoming, stream: "TICKS")])
        await office.relay.waitUntilReady()
        let removed = Gate()
        let posting = Task {
            for number in 0..<3000 {
                // Ensures that half of the notifications are posted after the removal.
                if number == 1500 { await removed.wait() }
                await shop.center.deliver(Tick(poster: 1, number: number))
            }
        }
        await office.received.wait(for: 500)
        // The server removes the consumer, but may answer with an error if it can't delete the consumer's folder during
        // a write.
        _ = try? await shop.ask("CONSUMER.DELETE.TICKS.office-test_tick")
        removed.open()
        await posting.value
        await office.received.wait(for: 3000)
        #expect(await office.relay.catchUp(within: .seconds(600)))
        await office.stop()
        #expect(office.received.values.map(\.number) == Array(0..<3000))
        #expect(office.faults.values.contains { $0.kind == .consumerLost })
        await shop.stop()
    }

    @Test(arguments: [false, true])
    func `changed settings are applied on the server, and a setting that can't be changed is reported with both values`(
        isEncrypted: Bool
    ) async throws {
        let (server, shop) = try await servers(isEncrypted: isEncrypted)
        func office(_ change: (inout RelayOptions) -> Void) async throws -> RelayedProgram {
            let office = try RelayedProgram(
                "office", server, [.durable(Tick.self, .incoming, stream: "TICKS")], change: change)
            await office.relay.waitUntilReady()
            return office
        }
        func config() async throws -> JSONMembers? {
            try await shop.ask("CONSUMER.INFO.TICKS.office-test_tick")?.object("config")
        }
        let first = try await office { $0.acknowledgementTime = .seconds(5) }
        await first.stop()
        #expect(try await config()?.number("ack_wait") == 5_000_000_000)
        let second = try await office {
            $0.acknowledgementTime = .seconds(60)
            $0.inProgressLimit = 7
        }
        await second.stop()
        #expect(try await config()?.number("ack_wait") == 60_000_000_000)
        #expect(try await config()?.number("max_ack_pending") == 7)
        #expect(second.faults.values == [])

        // Creates the consumer, as another program could do, with a setting that the server can't change later.
        try await shop.ask("CONSUMER.DELETE.TICKS.office-test_tick")
        let other = try await connect(server)
        _ = other.publish(
            RelayMessage(
                "$JS.API.CONSUMER.DURABLE.CREATE.TICKS.office-test_tick",
                text: """
                    {"stream_name":"TICKS","config":{"durable_name":"office-test_tick","ack_policy":"all",\
                    "deliver_policy":"all","filter_subject":"tidings.test.tick.*"}}
                    """))
        #expect(await other.flush())
        try await eventually("the consumer exists") { try await config() != nil }
        let third = try await office { $0.acknowledgementTime = .seconds(60) }
        await third.stop()
        let faults = third.faults.values.filter { $0.kind == .settingsDiffer }
        #expect(faults.count == 1)
        #expect(faults.first?.detail.contains(#""all", not "explicit" as requested"#) == true, "\(faults)")
        #expect(try await config()?.number("ack_wait") == 60_000_000_000)
        other.close()
        await shop.stop()
    }

    @Test func `a fault is reported if a route requests stored messages that its existing consumer has skipped`()
        async throws
    {
        let (server, shop) = try await servers()
        for number in 0..<3 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        func office(_ beginning: RelayRoute.StartPosition) async throws -> [RelayFault.Kind] {
            let route = RelayRoute.durable(Tick.self, .incoming, stream: "TICKS", from: beginning)
            let office = try RelayedProgram("office", server, [route])
            await office.relay.waitUntilReady()
            await office.stop()
            return office.faults.values.map(\.kind)
        }
        #expect(try await office(.new) == [])
        #expect(try await office(.stored) == [.settingsDiffer])
        #expect(try await office(.sequence(2)) == [])
        await shop.stop()
    }

    @Test func `a new consumer can start at a sequence number, at a time, or with the latest message`() async throws {
        let (server, shop) = try await servers()
        for number in 0..<10 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        let stored = try await shop.ask(#"STREAM.INFO.TICKS"#)?.object("state")?.string("last_ts") ?? ""
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        // The server sends more digits after the decimal point than the format accepts, so the digits are replaced.
        let last = try format.parse(String(stored.prefix(19)) + ".999Z")
        while Date() < last.addingTimeInterval(0.01) { await Task.yield() }
        let time = Date()
        for number in 10..<20 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        let beginnings: [(RelayRoute.StartPosition, Int)] = [
            (.sequence(6), 5), (.sequence(1000), 20), (.time(time), 10), (.latest, 19), (.stored, 0), (.new, 20),
        ]
        for (index, (beginning, first)) in beginnings.enumerated() {
            let route = RelayRoute.durable(Tick.self, .incoming, stream: "TICKS", from: beginning)
            let office = try RelayedProgram("office-\(index)", server, [route])
            await office.relay.waitUntilReady()
            if first < 20 { await office.received.wait(for: 20 - first) }
            await office.stop()
            #expect(office.received.values.map(\.number) == Array(first..<20), "\(beginning)")
            #expect(office.faults.values == [])
        }
        await shop.stop()
    }

    @Test func `a new consumer reports skipped messages, unless its route sets a start position`() async throws {
        let (server, shop) = try await servers()
        for number in 0..<100 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        for (name, beginning) in [("told", nil), ("new", .new), ("stored", .stored)]
            as [(String, RelayRoute.StartPosition?)]
        {
            let route = RelayRoute.durable(Tick.self, .incoming, stream: "TICKS", from: beginning)
            let office = try RelayedProgram(name, server, [route])
            await office.relay.waitUntilReady()
            await office.stop()
            #expect(office.faults.values.map(\.kind) == (beginning == nil ? [.skipped] : []))
            if beginning == nil { #expect(office.faults.values[0].detail.contains("skips 100 notifications")) }
        }
        await shop.stop()
    }
}
