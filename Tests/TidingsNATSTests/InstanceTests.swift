import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

/// Tests replicas of a program. Replicas have the same name, and usually different instance names.
@Suite(.timeLimit(.ofServers)) struct InstanceTests {
    private func replica(
        _ instance: String?, _ server: ServerProcess, _ route: RelayRoute
    ) async throws -> RelayedProgram {
        let program = try RelayedProgram("office", server, [route]) { $0.instance = instance }
        await program.relay.waitUntilReady()
        return program
    }

    private static let durable = RelayRoute.durable(Tick.self, .both, stream: "TICKS", from: .stored)

    @Test(arguments: [nil, ["a", "b"]] as [[String]?], [false, true])
    func `each message of a stream goes to exactly one of several replicas`(instances: [String]?, isEncrypted: Bool)
        async throws
    {
        let server = try ServerProcess(isEncrypted: isEncrypted)
        try await server.start()
        let replicas = [
            try await replica(instances?[0], server, Self.durable),
            try await replica(instances?[1], server, Self.durable),
        ]
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        for number in 0..<1000 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        // A notification that one replica posts doesn't go to the other replica as well.
        for number in 1000..<1100 { await replicas[0].center.deliver(Tick(poster: 2, number: number)) }
        for replica in replicas { #expect(await replica.relay.catchUp(within: .seconds(600))) }
        for program in replicas + [shop] { await program.stop() }
        let all = replicas.flatMap { $0.received.values.map(\.number) }
        #expect(all.sorted() == Array(0..<1100))
        for program in replicas + [shop] { #expect(program.faults.values == []) }
    }

    @Test(arguments: [false, true])
    func `each replica receives the posts of all replicas, and no second copies of its own posts`(
        isEncrypted: Bool
    ) async throws {
        let server = try ServerProcess(isEncrypted: isEncrypted)
        try await server.start()
        let route = Self.durable.consuming { $0.replicas = .each }
        let replicas = [try await replica("a", server, route), try await replica("b", server, route)]
        let origins = ReceivedValues<String?>()
        let token = replicas[1].center.addObserver(for: RelayedNotification<Tick>.self) {
            origins.append($0.origin.instance)
        }
        for number in 0..<1000 { await replicas[0].center.deliver(Tick(poster: 1, number: number)) }
        await replicas[1].received.wait(for: 1000)
        for number in 1000..<1100 { await replicas[1].center.deliver(Tick(poster: 2, number: number)) }
        for replica in replicas {
            await replica.received.wait(for: 1100)
            #expect(await replica.relay.catchUp(within: .seconds(600)))
        }
        for replica in replicas {
            await replica.stop()
            #expect(replica.received.values.map(\.number) == Array(0..<1100))
            #expect(replica.faults.values == [])
        }
        #expect(origins.values == Array(repeating: "a", count: 1000))
        withExtendedLifetime(token) {}
    }

    @Test(arguments: RelayEventMode.allCases, [false, true])
    func `a transient post is delivered to another program of the same name`(
        mode: RelayEventMode, isEncrypted: Bool
    ) async throws {
        let server = try ServerProcess([], isEncrypted: isEncrypted)
        try await server.start()
        let programs = try (0..<2).map { _ in
            try RelayedProgram("office", server, [.transient(Tick.self)]) { $0.eventMode = mode }
        }
        for program in programs { await program.relay.waitUntilReady() }
        for number in 0..<100 { programs[0].center.post(Tick(poster: 1, number: number)) }
        await programs[1].received.wait(for: 100)
        for program in programs { await program.stop() }
        for program in programs { #expect(program.received.values.map(\.number) == Array(0..<100)) }
    }

    @Test(arguments: [false, true])
    func `two programs with the same instance each report a fault, and a program that reconnects doesn't`(
        isEncrypted: Bool
    )
        async throws
    {
        let server = try ServerProcess(isEncrypted: isEncrypted)
        try await server.start()
        let first = try await replica("a", server, Self.durable)
        await server.kill9()
        try await server.start()
        _ = await first.fault(.connectionLost)
        await first.relay.waitUntilReady()
        #expect(!first.faults.values.contains { $0.kind == .sameInstance })
        let other = try await replica("b", server, Self.durable)
        let second = try await replica("a", server, Self.durable)
        for program in [first, second] {
            #expect(await program.fault(.sameInstance).detail.contains("office") == true)
        }
        #expect(!other.faults.values.contains { $0.kind == .sameInstance })
        for program in [first, second, other] { await program.stop() }
    }

    @Test func `a route that each replica reads requires an instance name without spaces`() async throws {
        let server = try ServerProcess()
        let route = Self.durable.consuming { $0.replicas = .each }
        #expect(throws: RelayFault.self) { try RelayedProgram("office", server, [route]) }
        #expect(throws: RelayFault.self) {
            try RelayedProgram("office", server, [route]) { $0.instance = "a b" }
        }
    }
}
