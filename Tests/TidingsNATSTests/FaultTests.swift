import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct FaultTests {
    struct Big: RemoteNotification {
        static let wireName = "test.big"
        let text: String
    }

    @Test func `if a relay starts before its server, it reports a fault, and connects when the server has started`()
        async throws
    {
        let server = try ServerProcess()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        async let receipt = shop.center.deliver(Tick(poster: 1, number: 1))
        _ = await shop.fault(.cannotConnect)
        try await server.start()
        #expect(await receipt.failures.isEmpty)
        await shop.stop()
    }

    @Test func `a lost connection is reported as a fault`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.transient(Tick.self)])
        await shop.relay.waitUntilReady()
        await server.kill9()
        _ = await shop.fault(.connectionLost)
        try await server.start()
        await shop.relay.waitUntilReady()
        await shop.stop()
    }

    @Test func `a server without JetStream is reported as a fault if there are durable routes`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, stream: "TICKS")])
        #expect(await shop.fault(.rejected).detail.contains("JetStream"))
        await shop.relay.finish(within: .zero)
    }

    @Test func `a notification over the size limit is rejected before it is queued`() async throws {
        let server = try ServerProcess(["-js"], configuration: "max_payload: 2000\n")
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Big.self, stream: "TICKS"), .transient(Tick.self)])
        await shop.relay.waitUntilReady()
        let receipt = await shop.center.deliver(Big(text: String(repeating: "a", count: 2000)))
        #expect((receipt.failures.first?.error as? RelayFault)?.kind == .payloadTooLarge)
        let fault = await #expect(throws: RelayFault.self) {
            try await shop.relay.publish(Big(text: String(repeating: "a", count: 2000)))
        }
        #expect(fault?.kind == .payloadTooLarge)
        #expect(await shop.center.deliver(Big(text: String(repeating: "a", count: 1000))).failures.isEmpty)
        await shop.stop()
        #expect(shop.faults.values.map(\.kind) == [.payloadTooLarge])
    }

    @Test
    func `an oversized notification that was queued before the limit was known is rejected, and others are stored`()
        async throws
    {
        let server = try ServerProcess(["-js"], configuration: "max_payload: 2000\n")
        let shop = try RelayedProgram("shop", server, [.durable(Big.self, stream: "TICKS")])
        async let refused = shop.center.deliver(Big(text: String(repeating: "a", count: 5000)))
        await eventually("a notification waits", { shop.relay.unsentCount }, until: { $0 != 0 })
        async let stored = shop.center.deliver(Big(text: "a"))
        try await server.start()
        #expect((await refused.failures.first?.error as? RelayFault)?.kind == .payloadTooLarge)
        #expect(await stored.failures.isEmpty)
        await shop.stop()
    }

    @Test func `deliver reports a fault if the stream is full and the route doesn't wait`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let other = try await connect(server)
        let answers = ReceivedValues<RelayMessage>()
        let subscription = try other.subscribe("answers", group: nil) { answers.append($0) }
        let config = #"{"name":"TICKS","subjects":["tidings.test.tick.*"],"max_msgs":2,"discard":"new"}"#
        _ = other.publish(RelayMessage("$JS.API.STREAM.CREATE.TICKS", reply: "answers", text: config))
        await answers.wait(for: 1)
        let shop = try RelayedProgram(
            "shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS").whenFull(.refuse)])
        await shop.relay.waitUntilReady()
        for number in 1...2 { #expect(await shop.center.deliver(Tick(poster: 1, number: number)).failures.isEmpty) }
        let receipt = await shop.center.deliver(Tick(poster: 1, number: 3))
        let fault = receipt.failures.first?.error as? RelayFault
        #expect(fault?.kind == .streamFull && fault?.type == "test.tick.v1" && fault?.id != nil)
        #expect(fault?.subject == "tidings.test.tick.v1")
        #expect(shop.faults.values.map(\.kind) == [.streamFull])
        other.close()
        await shop.stop()
        withExtendedLifetime(subscription) {}
    }

    @Test func `a missing permission is reported as a fault and doesn't hold up permitted notifications`() async throws
    {
        let server = try ServerProcess(
            ["-js"],
            configuration: """
                authorization {
                  users = [
                    {user: all, password: all}
                    {user: some, password: secret, permissions: {
                      publish: {deny: ["tidings.test.tick.>"]}, subscribe: {deny: ["tidings.test.big.*"]}}}
                  ]
                }
                """)
        try await server.start()
        var some = NATSServer(server.address)
        some.login = .user("some", password: "secret")
        struct Allowed: RemoteNotification { static let wireName = "test.allowed" }
        let shop = try RelayedProgram(
            "shop", some,
            [
                .durable(Tick.self, .outgoing, stream: "TICKS"), .durable(Allowed.self, .outgoing, stream: "TICKS"),
                .transient(Big.self, .incoming),
            ])
        await shop.relay.waitUntilReady()
        let receipt = await shop.center.deliver(Tick(poster: 1, number: 1))
        #expect((receipt.failures.first?.error as? RelayFault)?.kind == .permissionDenied)
        #expect(await shop.center.deliver(Allowed()).failures.isEmpty)
        #expect(
            Set(shop.faults.values.filter { $0.kind == .permissionDenied }.map(\.subject)) == [
                "tidings.test.tick.v1", "tidings.test.big.*",
            ])
        await shop.stop()

        var wrong = some
        wrong.login = .user("some", password: "wrong")
        let stranger = try RelayedProgram("stranger", wrong, [.transient(Tick.self)])
        let fault = await stranger.fault(.permissionDenied)
        #expect(!fault.detail.contains("wrong") && fault.detail.contains(server.address))
        await stranger.relay.finish(within: .zero)
    }

    @Test func `a fault is reported if an observer is too slow and notifications are dropped`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        var slow = NATSServer(server.address)
        slow.pendingLimit = 10
        let office = try RelayedProgram("office", slow, [.transient(Tick.self, .incoming)])
        let (held, gate) = (Gate(), Gate())
        let token = office.center.addObserver(for: Tick.self) { _ in
            held.open()
            gate.wait(patience: .seconds(3600))
        }
        await office.relay.waitUntilReady()
        let shop = try RelayedProgram("shop", server, [.transient(Tick.self, .outgoing)])
        await shop.relay.waitUntilReady()
        for number in 0..<1000 { shop.center.post(Tick(poster: 1, number: number)) }
        await held.wait()
        let fault = await office.fault(.slowConsumer)
        #expect(fault.subject == "tidings.test.tick.*")
        gate.open()
        await office.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }

    @Test func `if the send buffer is full, a post reports a fault, and publish waits`() async throws {
        let server = try ServerProcess()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")]) {
            $0.sendBufferLimit = 2
        }
        for number in 0..<3 { shop.center.post(Tick(poster: 1, number: number)) }
        #expect(shop.faults.values.map(\.kind).contains(.sendBufferFull))
        async let published = shop.relay.publish(Tick(poster: 1, number: 3))
        try await server.start()
        #expect(try await published == 3)
        await shop.stop()
    }

    @Test func `a post doesn't wait for a suspended server`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram(
            "shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS"), .transient(Big.self)]
        ) { options in
            options.backlogLimit = 1 << 20
        }
        await shop.relay.waitUntilReady()
        server.signal(SIGSTOP)
        // The posts exceed the buffers of the kernel and of the relay. The notifications that don't fit cause faults.
        let text = String(repeating: "a", count: 100_000)
        for number in 0..<200 {
            shop.center.post(Tick(poster: 1, number: number))
            shop.center.post(Big(text: text))
        }
        #expect(shop.faults.values.contains { $0.kind == .sendBufferFull })
        server.signal(SIGCONT)
        #expect(try await shop.relay.publish(Tick(poster: 1, number: 200)) == 201)
        await shop.stop()
    }

    @Test(arguments: [RelayOptions.OverflowPolicy.refuseNewest, .dropOldest])
    func `the overflow policy determines which notifications are dropped when too many are queued`(
        policy: RelayOptions.OverflowPolicy
    )
        async throws
    {
        let server = try ServerProcess()
        let shop = try RelayedProgram(
            "shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS"), .transient(Big.self, .outgoing)]
        ) { options in
            (options.sendBufferLimit, options.sendBufferPolicy) = (3, policy)
            (options.transientLimit, options.transientPolicy) = (3, policy)
        }
        let office = try RelayedProgram(
            "office", server, [.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)])
        for number in 0..<5 {
            shop.center.post(Tick(poster: 1, number: number))
            shop.center.post(Big(text: "\(number)"))
        }
        let full = await shop.faults(.sendBufferFull, 4)
        #expect(
            full.reduce(0) { $0 + $1.count } == 4
                && Set(full.map(\.subject)) == ["tidings.test.tick.v1", "tidings.test.big.v1"])
        try await server.start()
        await office.received.wait(for: 3)
        #expect(office.received.values.map(\.number) == (policy == .dropOldest ? [2, 3, 4] : [0, 1, 2]))
        await office.stop()
        await shop.stop()
    }
}
