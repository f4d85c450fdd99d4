import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsNATS
@testable import TidingsRelay

/// Each fault, over a real server.
@Suite(.timeLimit(.minutes(3))) struct FaultTests {
    struct Big: RemoteNotification {
        static let wireName = "test.big"
        let text: String
    }

    @Test func `a server that is absent at the start is a fault, and joined when it comes`() async throws {
        let server = try ServerProcess()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        async let receipt = shop.center.deliver(Tick(poster: 1, number: 1))
        _ = await shop.fault(.cannotConnect)
        try await server.start()
        #expect(await receipt.failures.isEmpty)
        await shop.stop()
    }

    @Test func `a lost connection is a fault`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.transient(Tick.self)])
        await shop.relay.ready
        await server.kill9()
        _ = await shop.fault(.connectionLost)
        try await server.start()
        await shop.relay.ready
        await shop.stop()
    }

    @Test func `a server without streams is a fault for durable routes`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, stream: "TICKS")])
        #expect(await shop.fault(.rejected).detail.contains("JetStream"))
        await shop.relay.stop(within: .zero)
    }

    @Test func `a notification over the limit is refused before it is queued`() async throws {
        let server = try ServerProcess(["-js"], configuration: "max_payload: 2000\n")
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Big.self, stream: "TICKS"), .transient(Tick.self)])
        await shop.relay.ready
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

    @Test func `what was queued before the limit was known is refused by the link, and the rest goes on`() async throws
    {
        let server = try ServerProcess(["-js"], configuration: "max_payload: 2000\n")
        let shop = try RelayedProgram("shop", server, [.durable(Big.self, stream: "TICKS")])
        async let refused = shop.center.deliver(Big(text: String(repeating: "a", count: 5000)))
        while shop.relay.waitingCount == 0 { await Task.yield() }
        async let stored = shop.center.deliver(Big(text: "a"))
        try await server.start()
        #expect((await refused.failures.first?.error as? RelayFault)?.kind == .payloadTooLarge)
        #expect(await stored.failures.isEmpty)
        await shop.stop()
    }

    @Test func `a full stream is a fault, and the delivery says so`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let other = try await connect(server)
        let answers = ReceivedValues<RelayMessage>()
        let subscription = try other.subscribe("answers", group: nil) { answers.append($0) }
        let config = #"{"name":"TICKS","subjects":["tidings.test.tick.*"],"max_msgs":2,"discard":"new"}"#
        _ = other.publish(RelayMessage("$JS.API.STREAM.CREATE.TICKS", reply: "answers", text: config))
        await answers.wait(for: 1)
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.ready
        for number in 1...2 { #expect(await shop.center.deliver(Tick(poster: 1, number: number)).failures.isEmpty) }
        let receipt = await shop.center.deliver(Tick(poster: 1, number: 3))
        #expect((receipt.failures.first?.error as? RelayFault)?.kind == .streamFull)
        #expect(shop.faults.values.map(\.kind) == [.streamFull])
        other.close()
        await shop.stop()
        withExtendedLifetime(subscription) {}
    }

    @Test func `what is not allowed is a fault, and does not hold up the rest`() async throws {
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
        await shop.relay.ready
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
        await stranger.relay.stop(within: .zero)
    }

    @Test func `a program that takes too slowly is told`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        var slow = NATSServer(server.address)
        slow.pendingLimit = 10
        let office = try RelayedProgram("office", slow, [.transient(Tick.self, .incoming)])
        let (held, gate) = (Gate(), Gate())
        let token = office.center.addObserver(for: Tick.self) { _ in
            held.open()
            gate.wait(patience: .seconds(60))
        }
        await office.relay.ready
        let shop = try RelayedProgram("shop", server, [.transient(Tick.self, .outgoing)])
        await shop.relay.ready
        for number in 0..<1000 { shop.center.post(Tick(poster: 1, number: number)) }
        await held.wait()
        let fault = await office.fault(.slowConsumer)
        #expect(fault.subject == "tidings.test.tick.*")
        gate.open()
        await office.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }

    @Test func `a full outbox is a fault for a post, and makes a publisher wait`() async throws {
        let server = try ServerProcess()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")]) {
            $0.outboxLimit = 2
        }
        for number in 0..<3 { shop.center.post(Tick(poster: 1, number: number)) }
        #expect(shop.faults.values.map(\.kind).contains(.outboxFull))
        async let published = shop.relay.publish(Tick(poster: 1, number: 3))
        try await server.start()
        #expect(try await published == 3)
        await shop.stop()
    }

    @Test func `a post does not wait for a server that takes nothing`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram(
            "shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS"), .transient(Big.self)]
        ) { options in
            options.backlogLimit = 1 << 20
        }
        await shop.relay.ready
        server.signal(SIGSTOP)
        // What the kernel takes, and then what the relay keeps; what is more is a fault.
        let text = String(repeating: "a", count: 100_000)
        for number in 0..<200 {
            shop.center.post(Tick(poster: 1, number: number))
            shop.center.post(Big(text: text))
        }
        #expect(shop.faults.values.contains { $0.kind == .outboxFull })
        server.signal(SIGCONT)
        #expect(try await shop.relay.publish(Tick(poster: 1, number: 200)) == 201)
        await shop.stop()
    }

    @Test(arguments: [OutboxPolicy.refuseNewest, .dropOldest])
    func `a policy says which notification is not sent when too many wait`(policy: OutboxPolicy) async throws {
        let server = try ServerProcess()
        let shop = try RelayedProgram(
            "shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS"), .transient(Big.self, .outgoing)]
        ) { options in
            (options.outboxLimit, options.outboxPolicy) = (3, policy)
            (options.transientLimit, options.transientPolicy) = (3, policy)
        }
        let office = try RelayedProgram(
            "office", server, [.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)])
        for number in 0..<5 {
            shop.center.post(Tick(poster: 1, number: number))
            shop.center.post(Big(text: "\(number)"))
        }
        let full = shop.faults.values.filter { $0.kind == .outboxFull }
        #expect(full.count == 4 && Set(full.map(\.subject)) == ["tidings.test.tick.v1", "tidings.test.big.v1"])
        try await server.start()
        await office.received.wait(for: 3)
        #expect(office.received.values.map(\.number) == (policy == .dropOldest ? [2, 3, 4] : [0, 1, 2]))
        await office.stop()
        await shop.stop()
    }

    @Test func `what others publish is a notification, or a fault of its own kind`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let office = try RelayedProgram("office", server, [.transient(Tick.self, .incoming)])
        await office.relay.ready
        let other = try await connect(server)
        let data = #""data":{"poster":1,"number":1}}"#
        for event in [
            #"{"specversion":"1.0","id":"1","source":"x","type":"test.tock.v1",\#(data)"#,
            #"{"specversion":"1.0","id":"2","source":"x","type":"test.tick.v2",\#(data)"#,
            #"{"specversion":"1.0","id":"3","source":"x","type":"test.tick.v1","data":{}}"#,
            #"{"specversion":"2.0","id":"4","source":"x","type":"test.tick.v1",\#(data)"#,
            #"{"specversion":"1.0","id":"5","source":"x","type":"test.tick.v1",\#(data)"#,
        ] { _ = other.publish(RelayMessage("tidings.test.tick.v1", text: event)) }
        await office.received.wait(for: 1)
        #expect(
            office.faults.values.map(\.kind) == [.unknownType, .unknownVersion, .undecodable, .undecodable])
        #expect(office.faults.values.map(\.id) == ["1", "2", "3", nil])
        other.close()
        await office.stop()
    }

    @Test func `mutated messages are a notification or a fault each, and the good ones arrive`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let office = try RelayedProgram("office", server, [.transient(Tick.self, .incoming)])
        let all = ReceivedValues<Void>()
        let tokens = [
            office.center.addObserver(for: RelayFault.self) { _ in all.append(()) },
            office.center.addObserver(for: Tick.self) { _ in all.append(()) },
        ]
        await office.relay.ready
        let other = try await connect(server)
        var random = SystemRandomNumberGenerator()
        let count = 20_000
        var sent = 0
        for number in 0..<count {
            let event = CloudEvent(
                id: "\(number)", source: "there", type: "test.tick.v1", trace: TraceContext(traceparent: "00-1"),
                data: try Tick(poster: 1, number: number).encoded())
            var message = event.message("tidings.test.tick.v1", mode: number.isMultiple(of: 2) ? .structured : .binary)
            if !number.isMultiple(of: 10) { message.mutate(&random) }
            if other.publish(message) == .accepted { sent += 1 }
        }
        #expect(sent == count)
        await all.wait(for: sent)
        #expect(office.received.count + office.faults.count == sent)
        #expect(Set(office.received.values.map(\.number)).isSuperset(of: (0..<count).filter { $0.isMultiple(of: 10) }))
        #expect(office.faults.values.allSatisfy { [.undecodable, .unknownType, .unknownVersion].contains($0.kind) })
        other.close()
        await office.stop()
        withExtendedLifetime(tokens) {}
    }

    @Test func `nothing is left after many connects`() async throws {
        let server = try ServerProcess()
        try await server.start()
        func count(_ folder: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count
        }
        func connectAndStop() async throws {
            let shop = try RelayedProgram(
                "shop", server, [.transient(Big.self), .durable(Tick.self, .outgoing, stream: "TICKS")])
            await shop.relay.ready
            await shop.center.deliver(Tick(poster: 1, number: 1))
            await shop.stop()
        }
        for _ in 0..<50 { try await connectAndStop() }
        let (files, threads, pages) = (try count("fd"), try count("task"), try heldPages())
        for _ in 0..<200 { try await connectAndStop() }
        // Other tests run at the same time, and have connections; none of these has to be left.
        #expect(try count("fd") < files + 100)
        // The last ones are closed when the calls that were made for that have returned.
        while try count("fd") > files + 20 || count("task") > threads + 20 { await Task.yield() }
        // Not ten pages for each, of which a connection that is open has more than twice as many.
        #expect(try heldPages() < pages + 2000)
    }
}

/// How many pages of memory the process has.
private func heldPages() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return Int(text.split(separator: " ")[1]) ?? 0
}

extension RelayMessage {
    /// Changes some bytes, or leaves out a header.
    fileprivate mutating func mutate(_ random: inout some RandomNumberGenerator) {
        if !headers.isEmpty, Bool.random(using: &random) {
            headers.remove(at: .random(in: 0..<headers.count, using: &random))
        }
        for _ in 0..<Int.random(in: 1...3, using: &random) where !body.isEmpty {
            let place = Int.random(in: 0..<body.count, using: &random)
            switch Int.random(in: 0...2, using: &random) {
            case 0: body[place] = .random(in: 0...255, using: &random)
            case 1: body.remove(at: place)
            default: body.removeLast(.random(in: 0...body.count, using: &random))
            }
        }
    }
}
