import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct StreamRouteTests {
    struct Noted: RemoteNotification, Hashable {
        static let wireName = "test.noted"
        let sender: String
        let number: Int
    }

    @Test func `a program can read the notifications of one sender, and the server filters them`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let senders = ["a", ">", "b c"]
        let programs = try senders.map {
            try RelayedProgram("office", server, [.durable(Noted.self, .incoming, stream: "NOTES", sender: $0)])
        }
        for program in programs { await program.relay.waitUntilReady() }
        let heard = senders.map { _ in ReceivedValues<Noted>() }
        let tokens = zip(programs, heard).map { program, heard in
            program.center.addObserver(for: Noted.self) { heard.append($0) }
        }
        let shop = try RelayedProgram("shop", server, [.durable(Noted.self, .outgoing, stream: "NOTES")])
        for number in 0..<50 {
            for sender in senders + ["another"] { await shop.center.deliver(Noted(sender: sender, number: number)) }
        }
        for (sender, heard) in zip(senders, heard) {
            await heard.wait(for: 50)
            #expect(heard.values == (0..<50).map { Noted(sender: sender, number: $0) })
        }
        for program in programs {
            let name = try #require(program.relay.receiver.routes.first?.reading?.consumer.name)
            let found = try await program.ask("CONSUMER.INFO.NOTES.\(name)")
            #expect(found?.object("delivered")?.number("consumer_seq") == 50)
        }
        for program in programs + [shop] {
            await program.stop()
            #expect(program.faults.values == [])
        }
        withExtendedLifetime(tokens) {}
    }

    @Test func `an event that is in a stream twice is posted once`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let office = try RelayedProgram("office", server, [.durable(Tick.self, .incoming, stream: "TICKS")])
        await office.relay.waitUntilReady()
        let other = try await connect(server)
        for number in 0..<100 {
            let data = try Tick(poster: 1, number: number).encoded()
            let event = CloudEvent(id: "\(number)", source: "there", type: "test.tick.v1", data: data)
            // The server recognizes copies by a header that neither of these messages has.
            for mode in RelayEventMode.allCases { _ = other.publish(event.message("tidings.test.tick.v1", mode: mode)) }
        }
        #expect(await other.flush())
        #expect(await office.relay.catchUp(within: .seconds(60)))
        #expect(office.received.values.map(\.number) == Array(0..<100))
        #expect(try await office.ask("STREAM.INFO.TICKS")?.object("state")?.number("messages") == 200)
        other.close()
        await office.stop()
        #expect(office.faults.values == [])
    }

    @Test func `the server stores a message only once within the duplicate window`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        let messages = ReceivedValues<RelayMessage>()
        let other = try await connect(server)
        let subscription = try other.subscribe("tidings.test.tick.*", group: nil) { messages.append($0) }
        #expect(await other.flush())
        await shop.center.deliver(Tick(poster: 1, number: 1))
        await messages.wait(for: 1)
        #expect(messages.values[0].header("Nats-Msg-Id") != nil)
        for _ in 0..<10 { _ = other.publish(messages.values[0]) }
        #expect(await other.flush())
        #expect(try await shop.ask("STREAM.INFO.TICKS")?.object("state")?.number("messages") == 1)
        other.close()
        await shop.stop()
        withExtendedLifetime(subscription) {}
    }

    @Test(arguments: RelayEventMode.allCases)
    func `a redelivered notification has the identity and the time of the first delivery`(mode: RelayEventMode)
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let office = try RelayedProgram("office", server, [.durable(Tick.self, .incoming, stream: "TICKS")]) {
            $0.retryPolicy = [.milliseconds(20)]
        }
        let origins = ReceivedValues<NotificationOrigin>()
        let token = office.center.addObserver(for: RelayedNotification<Tick>.self) { received in
            origins.append(received.origin)
            if received.origin.deliveryCount == 1 { received.retry() }
        }
        await office.relay.waitUntilReady()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")]) {
            $0.eventMode = mode
        }
        let before = Date()
        await shop.center.deliver(Tick(poster: 1, number: 1))
        await origins.wait(for: 2)
        let (first, second) = (origins.values[0], origins.values[1])
        #expect(first.source == "shop" && first.subject == "tidings.test.tick.v1" && first.streamSequence == 1)
        #expect((first.deliveryCount, second.deliveryCount) == (1, 2))
        #expect(!first.id.isEmpty && first.id == second.id && first.time == second.time)
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let time = try format.parse(try #require(first.time))
        // The event's time has fewer digits than `before`, so it may be slightly earlier.
        #expect(time >= before.addingTimeInterval(-0.01) && time <= Date())
        await office.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }
}
