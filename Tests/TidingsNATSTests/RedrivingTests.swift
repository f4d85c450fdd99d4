import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

/// Tests of notifications that only the next version of a program can handle.
@Suite(.timeLimit(.ofServers)) struct RedrivingTests {
    struct NewTick: RemoteNotification, Hashable {
        static let wireName = "test.tick"
        static let wireVersion = 2
        let number: Int
        let price: Int
    }

    private func old(_ server: ServerProcess, retryPolicy: RetryPolicy) throws -> RelayedProgram {
        try RelayedProgram("office", server, [.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)]) {
            $0.retryPolicy = retryPolicy
        }
    }

    private func new(_ server: ServerProcess) throws -> (RelayedProgram, ReceivedValues<Int>, NotificationToken) {
        let route = RelayRoute.durable(NewTick.self, .incoming, stream: "TICKS", from: .stored)
        let program = try RelayedProgram("office", server, [route])
        let numbers = ReceivedValues<Int>()
        return (program, numbers, program.center.addObserver(for: NewTick.self) { numbers.append($0.number) })
    }

    @Test func `an upgraded replica receives the notifications that an old replica couldn't read`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(NewTick.self, .outgoing, stream: "TICKS")])
        let office = try old(server, retryPolicy: RetryPolicy(Array(repeating: .milliseconds(50), count: 1000)))
        await office.relay.waitUntilReady()
        for number in 0..<20 { await shop.center.deliver(NewTick(number: number, price: 1)) }
        _ = await office.faults(.unknownVersion, 20)
        let (upgraded, numbers, token) = try new(server)
        await numbers.wait(for: 1)
        await office.stop()
        await numbers.wait(for: 20)
        #expect(Set(numbers.values) == Set(0..<20) && numbers.count == 20)
        #expect(!(office.faults.values + upgraded.faults.values).contains { $0.kind == .deadLetter })
        await upgraded.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }

    @Test func `a tool with an outgoing route lists and redrives dead letters without creating a consumer`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let posts = RelayRoute.durable(NewTick.self, .outgoing, stream: "TICKS")
        let shop = try RelayedProgram("shop", server, [posts])
        let office = try old(server, retryPolicy: [])
        await office.relay.waitUntilReady()
        for number in 0..<3 {
            try await shop.relay.publish(NewTick(number: number, price: 1), id: "tick-\(number)")
        }
        while office.faults.values.count(where: { $0.kind == .deadLetter }) < 3 {
            await office.faults.wait(for: office.faults.count + 1)
        }
        await office.stop()
        // A program with an incoming route lists only the dead letters of its own consumers.
        let reads = RelayRoute.durable(PartitionTests.Due.self, .incoming, stream: "DUE", from: .stored)
        let reader = try RelayedProgram("reader", server, [posts, reads])
        await reader.relay.waitUntilReady()
        #expect(try await reader.relay.deadLetters() == [])
        #expect(try await reader.relay.redrive() == 0)
        await reader.stop()
        let tool = try RelayedProgram("tool", server, [posts])
        await tool.relay.waitUntilReady()
        let letters = try await tool.relay.deadLetters()
        #expect(letters.map(\.notificationID).sorted { $0 ?? "" < $1 ?? "" } == ["tick-0", "tick-1", "tick-2"])
        #expect(try await tool.relay.status().routes.isEmpty)
        #expect(try await tool.relay.redrive() == 3)
        // When a notification becomes a dead letter again, it still has its identity.
        let again = try old(server, retryPolicy: [])
        while again.faults.values.count(where: { $0.kind == .deadLetter }) < 3 {
            await again.faults.wait(for: again.faults.count + 1)
        }
        #expect(try await Set(tool.relay.deadLetters().compactMap(\.notificationID)) == ["tick-0", "tick-1", "tick-2"])
        for program in [again, tool, shop] { await program.stop() }
    }

    @Test func `all or chosen dead letters are redriven to the consumer that gave up on them`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(NewTick.self, .outgoing, stream: "TICKS")])
        let office = try old(server, retryPolicy: [])
        // This program handles each notification when it is posted, so no notification is redriven to it.
        let clerk = try RelayedProgram("clerk", server, [.durable(NewTick.self, .incoming, stream: "TICKS")])
        let all = ReceivedValues<Int>()
        let clerks = clerk.center.addObserver(for: NewTick.self) { all.append($0.number) }
        await office.relay.waitUntilReady()
        await clerk.relay.waitUntilReady()
        for number in 0..<5 { await shop.center.deliver(NewTick(number: number, price: 1)) }
        while office.faults.values.count(where: { $0.kind == .deadLetter }) < 5 {
            await office.faults.wait(for: office.faults.count + 1)
        }
        let letters = try await office.relay.deadLetters()
        #expect(letters.map(\.sequence).sorted() == [1, 2, 3, 4, 5] && letters.count == 5)
        #expect(letters.allSatisfy { $0.reason.hasPrefix("unknownVersion") && $0.consumer == "office-test_tick" })
        #expect(letters.allSatisfy { $0.subject == "tidings.test.tick.v2" })
        #expect(try await shop.relay.deadLetters(of: "TICKS") == letters)
        await office.stop()
        let (upgraded, numbers, token) = try new(server)
        await upgraded.relay.waitUntilReady()
        #expect(try await upgraded.relay.redrive(letters.filter { $0.sequence == 3 }) == 1)
        await numbers.wait(for: 1)
        #expect(try await upgraded.relay.redrive() == 4)
        #expect(try await upgraded.relay.redrive(letters) == 0)
        await numbers.wait(for: 5)
        #expect(numbers.values.first == 2 && numbers.values.sorted() == Array(0..<5))
        #expect(try await upgraded.relay.deadLetters() == [])
        #expect(await clerk.relay.catchUp(within: .seconds(600)))
        #expect(all.values == Array(0..<5))
        for program in [upgraded, clerk, shop] {
            await program.stop()
            #expect(program.faults.values == [])
        }
        withExtendedLifetime((token, clerks)) {}
    }

    @Test func `a redriven notification that fails again becomes a dead letter again`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        let office = try old(server, retryPolicy: [])
        struct Failed: Error {}
        let token = office.center.addObserver(on: .task, for: Tick.self) { _ in throw Failed() }
        await shop.center.deliver(Tick(poster: 1, number: 1))
        _ = await office.fault(.deadLetter)
        #expect(try await office.relay.redrive() == 1)
        while office.faults.values.count(where: { $0.kind == .deadLetter }) < 2 {
            await office.faults.wait(for: office.faults.count + 1)
        }
        #expect(office.received.count == 2)
        #expect(try await office.relay.deadLetters().map(\.sequence) == [2])
        await office.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }
}
