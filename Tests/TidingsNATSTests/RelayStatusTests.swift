import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct RelayStatusTests {
    @Test
    func `the status has the counts of waiting, in-progress, redelivered and dead-letter notifications of a route`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let office = try RelayedProgram("office", server, [.durable(Tick.self, .incoming, stream: "TICKS")]) {
            options in
            options.inProgressLimit = 2
            options.retryPolicy = []
        }
        let (gate, held) = (Gate(), ReceivedValues<Int>())
        let token = office.center.addObserver(on: .task, for: RelayedNotification<Tick>.self) { received in
            if received.notification.number == 0 { return received.retry() }
            held.append(received.notification.number)
            await gate.wait()
        }
        await office.relay.waitUntilReady()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        for number in 0..<10 { try await shop.relay.publish(Tick(poster: 1, number: number)) }
        await held.wait(for: 1)
        _ = await office.fault(.deadLetter)
        var status = try await office.relay.status()
        // A dead letter counts as in progress until the server has received the acknowledgement.
        while status.routes.first.map({ $0.waiting + $0.inProgress }) != 9 { status = try await office.relay.status() }
        let route = try #require(status.routes.first)
        #expect(route.notification == "test.tick" && route.stream == "TICKS" && route.consumer == "office-test_tick")
        #expect(route.inProgress > 0 && route.redelivered == 0 && route.deadLetters == 1 && route.oldestAge != nil)
        #expect(status.outgoing == 0 && status.outgoingBytes == 0)
        gate.open()
        #expect(await office.relay.catchUp(within: .seconds(60)))
        let last = try await office.relay.status().routes.first
        #expect(last?.waiting == 0 && last?.inProgress == 0 && last?.oldestAge == nil && last?.deadLetters == 1)
        await office.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }

    @Test func `a notification with a custom identity is stored once, and custom headers arrive`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let office = try RelayedProgram("office", server, [.durable(Tick.self, .incoming, stream: "TICKS")])
        let origins = ReceivedValues<NotificationOrigin>()
        let token = office.center.addObserver(for: RelayedNotification<Tick>.self) { origins.append($0.origin) }
        await office.relay.waitUntilReady()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        let headers = ["tenant": "a \r\nb: ü", "Attempt": "1"]
        for _ in 0..<2 {
            #expect(try await shop.relay.publish(Tick(poster: 1, number: 1), id: "order-7", headers: headers) == 1)
        }
        #expect(try await shop.relay.publish(Tick(poster: 1, number: 2), id: "order-8", postingLocally: false) == 2)
        await origins.wait(for: 2)
        #expect(origins.values.map(\.id) == ["order-7", "order-8"] && origins.values.map(\.headers) == [headers, [:]])
        for name in ["ce-id", "Nats-Msg-Id", "Content-Type", "a b", "", "tidings-dead-reason"] {
            let fault = await #expect(throws: RelayFault.self) {
                try await shop.relay.publish(Tick(poster: 1, number: 3), headers: [name: "x"])
            }
            #expect(fault?.kind == .invalidName)
        }
        await office.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }
}
