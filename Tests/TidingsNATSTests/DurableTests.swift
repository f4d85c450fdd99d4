import TestSupport
import Testing
import Tidings
import TidingsRelay
import TidingsTesting

@Suite(.timeLimit(.ofServers)) struct DurableTests {
    @Test func `deliver returns when the stream has stored the notification`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        let receipt = await shop.center.deliver(Tick(poster: 1, number: 1))
        #expect(receipt.isComplete && receipt.failures.isEmpty && receipt.asynchronousCalls == 1)
        #expect(shop.relay.unsentCount == 0)
        #expect(try await shop.relay.publish(Tick(poster: 1, number: 2)) == 2)
        // A published notification is also posted locally.
        #expect(shop.received.values.map(\.number) == [1, 2])

        let office = try RelayedProgram(
            "office", server, [.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)])
        await office.received.wait(for: 2)
        #expect(office.received.values.map(\.number) == [1, 2])
        await shop.stop()
        await office.stop()
        #expect(shop.faults.values == [] && office.faults.values == [])
    }

    @Test(arguments: 0..<RelayTrials.runs, RelayTrials.encryptions)
    func `nothing is lost or repeated and the order is kept while the server is killed three times`(
        run: Int, isEncrypted: Bool
    ) async throws {
        let count = RelayTrials.count
        let server = try ServerProcess(isEncrypted: isEncrypted)
        try await server.start()
        let office = try RelayedProgram("office", server, [.durable(Tick.self, .incoming, stream: "TICKS")])
        await office.relay.waitUntilReady()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")]) { options in
            options.sendBufferLimit = count
        }
        await shop.relay.waitUntilReady()
        let posting = Task {
            for number in 0..<count {
                shop.center.post(Tick(poster: 1, number: number))
                if number % 100 == 0 { await Task.yield() }
            }
        }
        for part in 1...3 {
            await office.received.wait(for: count * part / 5)
            await server.kill9()
            try await server.start()
        }
        await posting.value
        await office.received.wait(for: count)
        await office.stop()
        await shop.stop()
        #expect(office.received.values.map(\.number) == Array(0..<count))
        let kinds = Set((shop.faults.values + office.faults.values).map(\.kind))
        #expect(kinds.isSubset(of: [.connectionLost, .cannotConnect]), "\(kinds)")
        #expect(kinds.contains(.connectionLost))
    }
}
