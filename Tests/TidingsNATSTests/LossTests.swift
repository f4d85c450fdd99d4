import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct LossTests {
    @Test func `notifications of a lost group member go to another member, with a delivery count above one`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        func worker(_ name: String) throws -> RelayedProgram {
            let route = RelayRoute.durable(Tick.self, stream: "TICKS", group: "workers")
            return try RelayedProgram(name, server, [route.consuming { $0.inProgressLimit = 100 }])
        }
        let lost = try worker("worker-1")
        await lost.relay.waitUntilReady()
        let gate = Gate()
        let held = lost.center.addObserver(on: .task, for: Tick.self) { _ in await gate.wait() }
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        for number in 0..<100 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        await lost.received.wait(for: 100)
        // The program ends while its observers are running.
        await lost.relay.finish(within: .zero)
        let other = try worker("worker-2")
        let counts = ReceivedValues<Int>()
        let token = other.center.addObserver(for: RelayedNotification<Tick>.self) {
            counts.append($0.origin.deliveryCount)
        }
        await other.received.wait(for: 100)
        gate.open()
        for program in [lost, other, shop] { await program.stop() }
        #expect(other.received.values.map(\.number).sorted() == Array(0..<100))
        #expect(counts.values.allSatisfy { $0 > 1 })
        withExtendedLifetime((held, token)) {}
    }

    @Test func `a deleted stream is reported as a fault and created again, and waiting notifications are stored in it`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        #expect(try await shop.relay.publish(Tick(poster: 1, number: 1)) == 1)
        try await shop.ask("STREAM.DELETE.TICKS")
        // No server has the stream. This can also happen while a cluster elects a leader, so a fault is reported only
        // after a while.
        async let published = shop.relay.publish(Tick(poster: 1, number: 2))
        let fault = await shop.fault(.rejected)
        #expect(fault.subject == "tidings.test.tick.v1" && fault.detail.contains("no stream"))
        #expect(try await published == 1)
        await shop.stop()
    }

    @Test func `a deleted consumer is reported as a fault and created again`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let office = try RelayedProgram("office", server, [.durable(Tick.self, stream: "TICKS")])
        await office.relay.waitUntilReady()
        // The relay closes the connection when its consumer is deleted, possibly before the answer arrives.
        _ = try? await office.ask("CONSUMER.DELETE.TICKS.office-test_tick")
        #expect(await office.fault(.rejected).subject == "office-test_tick")
        _ = await office.fault(.connectionLost)
        await office.relay.waitUntilReady()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        await shop.center.deliver(Tick(poster: 1, number: 1))
        await office.received.wait(for: 1)
        await office.stop()
        await shop.stop()
    }

    @Test func `a consumer that is deleted while no request is open is reported as a fault and created again`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let office = try RelayedProgram("office", server, [.durable(Tick.self, .incoming, stream: "TICKS")]) {
            $0.inProgressLimit = 1
        }
        await office.relay.waitUntilReady()
        let gate = Gate()
        let token = office.center.addObserver(on: .task, for: Tick.self) { _ in await gate.wait() }
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        await shop.center.deliver(Tick(poster: 1, number: 1))
        // The reader has fetched its maximum number of messages.
        await office.received.wait(for: 1)
        try await shop.ask("CONSUMER.DELETE.TICKS.office-test_tick")
        gate.open()
        let fault = await office.fault(.rejected)
        #expect(fault.subject == "office-test_tick" && fault.detail.contains("the server sends nothing"))
        _ = await office.fault(.connectionLost)
        await office.relay.waitUntilReady()
        await shop.center.deliver(Tick(poster: 1, number: 2))
        await office.received.wait(for: 2)
        #expect(office.received.values.map(\.number) == [1, 2])
        await office.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }

    @Test func `publish throws if no stream stores the notification, and other notifications aren't held up`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        let isOver = Gate()
        let refused = Task {
            defer { isOver.open() }
            return try await shop.relay.publish(FaultTests.Big(text: ""))
        }
        // The notification waits only for a while, so publishing may already have failed before this check.
        await eventually("a notification waits, or publishing has failed") {
            shop.relay.unsentCount != 0 || isOver.isOpen
        }
        async let stored = shop.relay.publish(Tick(poster: 1, number: 1))
        let fault = await #expect(throws: RelayFault.self) { try await refused.value }
        #expect(fault?.kind == .rejected && fault?.subject == "tidings.test.big.v1")
        #expect(try await stored == 1)
        await shop.stop()
        #expect(shop.faults.values == [])
    }

    @Test
    func `transient notifications keep their order and arrive at most once while the server is killed repeatedly`()
        async throws
    {
        let server = try ServerProcess([])
        try await server.start()
        let office = try RelayedProgram("office", server, [.transient(Tick.self, .incoming)])
        let shop = try RelayedProgram("shop", server, [.transient(Tick.self, .outgoing)])
        let posting = Task {
            var number = 0
            while !Task.isCancelled {
                shop.center.post(Tick(poster: 1, number: number))
                number += 1
                await Task.yield()
            }
        }
        // The server may be killed again before the office has reconnected. Such a kill causes no further fault, so the
        // loop counts lost connections instead of kills.
        while office.faults.values.count(where: { $0.kind == .connectionLost }) < 3 {
            await office.received.wait(for: office.received.count + 1000)
            await server.kill9()
            try await server.start()
        }
        await office.received.wait(for: office.received.count + 1000)
        posting.cancel()
        await posting.value
        await shop.stop()
        await office.stop()
        let numbers = office.received.values.map(\.number)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    }
}

extension RelayedProgram {
    @discardableResult
    func ask(_ request: String) async throws -> JSONMembers? {
        await relay.waitUntilReady()
        return try await relay.connection.service().ask(request)
    }
}
