import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct RelayHealthTests {
    @Test func `a relay is healthy while it is connected`() async throws {
        let center = NativeNotificationCenter()
        let relay = try NotificationRelay(
            center, connector: MemoryServer(), options: RelayOptions(name: "shop"), routes: [.transient(Tick.self)])
        #expect(relay.health().problems.map(\.kind) == [.disconnected])
        #expect(relay.health().description == "the relay shop is not connected, and 0 notifications wait for it")
        let running = Task { await relay.run() }
        await relay.waitUntilReady()
        #expect((relay.health() + center.health()).isWell)
        await relay.finish()
        await running.value
        #expect(relay.health().problems.map(\.kind) == [.disconnected] && relay.health().isAlive)
    }

    @Test func `a relay with a nearly full send buffer is unhealthy`() async throws {
        let center = NativeNotificationCenter()
        var options = RelayOptions(name: "shop")
        options.sendBufferLimit = 10
        let relay = try NotificationRelay(
            center, connector: MemoryServer(), options: options, routes: [.durable(Tick.self, .outgoing, stream: "S")])
        for number in 0..<8 { center.post(Tick(number: number)) }
        #expect(relay.health().problems.map(\.kind) == [.disconnected])
        center.post(Tick(number: 8))
        #expect(relay.health().problems.map(\.kind) == [.disconnected, .fullBuffer])
        let words = "9 notifications wait to be stored, and the limit of the relay shop is 10"
        #expect(relay.health().problems.last?.description == words)
    }

    @Test func `a relay whose send buffer is nearly full in bytes is unhealthy`() throws {
        func make(byteLimit: Int) throws -> (center: NativeNotificationCenter, relay: NotificationRelay) {
            let center = NativeNotificationCenter()
            var options = RelayOptions(name: "shop")
            options.sendBufferByteLimit = byteLimit
            let relay = try NotificationRelay(
                center, connector: MemoryServer(), options: options,
                routes: [.durable(Tick.self, .outgoing, stream: "S")])
            return (center, relay)
        }
        let large = try make(byteLimit: .max)
        large.center.post(Tick(number: 1))
        // The limit is nine and a half times the size of one notification.
        let limit = large.relay.sender.unsent.bytes * 19 / 2
        let (center, relay) = try make(byteLimit: limit)
        for number in 0..<8 { center.post(Tick(number: number)) }
        #expect(relay.health().problems.map(\.kind) == [.disconnected])
        center.post(Tick(number: 8))
        #expect(relay.health().problems.map(\.kind) == [.disconnected, .fullBuffer])
        let words = "with \(relay.sender.unsent.bytes) bytes, and the limit of the relay shop is \(limit) bytes"
        #expect(relay.health().problems.last?.description == "9 notifications wait to be stored, \(words)")
    }
}
