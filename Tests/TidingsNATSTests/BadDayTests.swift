import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct BadDayTests {
    private static let outgoing = RelayRoute.durable(Tick.self, .outgoing, stream: "TICKS")
    private static let incoming = RelayRoute.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)

    private struct Failed: Error {}

    @Test func `notifications posted without permission to publish are stored when the permission is granted`()
        async throws
    {
        func configuration(_ denied: String) -> String {
            """
            jetstream {store_dir: "$DIR"}
            authorization {
              users = [
                {user: all, password: all}
                {user: shop, password: secret, permissions: {publish: {deny: ["\(denied)"]}}}
              ]
            }
            """
        }
        let server = try ServerProcess([], configuration: configuration("nothing"))
        try await server.start()
        func reload(_ denied: String) throws {
            let file = URL(filePath: server.store).appending(path: "server.conf")
            try configuration(denied).replacing("$DIR", with: server.store)
                .write(to: file, atomically: true, encoding: .utf8)
            server.signal(SIGHUP)
        }
        var (all, way) = (server.way, server.way)
        all.login = .user("all", password: "all")
        way.login = .user("shop", password: "secret")
        let shop = try RelayedProgram("shop", way, [Self.outgoing])
        let office = try RelayedProgram("office", all, [Self.incoming])
        await shop.relay.waitUntilReady()
        await office.relay.waitUntilReady()
        for number in 0..<100 { shop.center.post(Tick(poster: 1, number: number)) }
        await office.received.wait(for: 100)
        try reload("tidings.test.tick.>")
        // The server takes a moment to reload its configuration.
        var posted = 100
        while !shop.faults.values.contains(where: { $0.kind == .permissionDenied }) {
            shop.center.post(Tick(poster: 1, number: posted))
            posted += 1
            await Task.yield()
        }
        for number in posted..<posted + 500 { shop.center.post(Tick(poster: 1, number: number)) }
        #expect(shop.relay.unsentCount >= 500)
        try reload("nothing")
        await office.received.wait(for: posted + 500)
        await eventually("every notification is sent", { shop.relay.unsentCount }, until: { $0 == 0 })
        await office.stop()
        await shop.stop()
        #expect(office.received.values.map(\.number) == Array(0..<posted + 500))
        #expect(shop.faults.values.allSatisfy { $0.kind == .permissionDenied || $0.kind == .connectionLost })
    }

    private struct Letter: RemoteNotification, Hashable {
        static let wireName = "test.letter"
        let text: String
    }

    @Test func `a dead letter near the maximum message size is redriven only if it fits with the added headers`()
        async throws
    {
        let server = try ServerProcess(["-js"], configuration: "max_payload: 4096")
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Letter.self, .outgoing, stream: "LETTERS")])
        let office = try RelayedProgram(
            "office", server, [.durable(Letter.self, .incoming, stream: "LETTERS", from: .stored)]
        ) { $0.retryPolicy = [] }
        let calls = ReceivedValues<Int>()
        let token = office.center.addObserver(on: .task, for: Letter.self) { letter in
            calls.append(letter.text.count)
            throw Failed()
        }
        await shop.relay.waitUntilReady()
        await office.relay.waitUntilReady()
        // The first text is the longest that fits. The second text leaves room for the headers of a redriven message,
        // but not for those of a dead letter.
        var length = 4096
        while (try? await shop.relay.publish(Letter(text: String(repeating: "a", count: length)))) == nil {
            length -= 1
        }
        let shorter = length - 150
        try await shop.relay.publish(Letter(text: String(repeating: "b", count: shorter)))
        while office.faults.values.count(where: { $0.kind == .deadLetter }) < 2 {
            await office.faults.wait(for: office.faults.count + 1)
        }
        #expect(calls.values == [length, shorter])
        let letters = try await office.relay.deadLetters()
        #expect(letters.map(\.sequence) == [1, 2] && letters.allSatisfy { $0.reason.hasPrefix("observerFailed") })
        #expect(try await office.relay.redrive(letters.filter { $0.sequence == 2 }) == 1)
        await calls.wait(for: 3)
        #expect(calls.values.last == shorter)
        // With the added headers, the letter is too large for the server. It remains a dead letter.
        await #expect(throws: RelayFault.self) { try await office.relay.redrive(letters.filter { $0.sequence == 1 }) }
        try await eventually(
            "the first letter is still a dead letter", { try await office.relay.deadLetters().map(\.sequence) },
            until: { $0.contains(1) })
        await office.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }

    @Test func `unreadable messages don't keep a program from receiving readable ones`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let new = try RelayedProgram(
            "shop", server, [.durable(RedrivingTests.NewTick.self, .outgoing, stream: "TICKS")])
        let old = try RelayedProgram("clerk", server, [Self.outgoing])
        await new.relay.waitUntilReady()
        await old.relay.waitUntilReady()
        for number in 0..<1500 { new.center.post(RedrivingTests.NewTick(number: number, price: 1)) }
        await eventually("every notification is sent", { new.relay.unsentCount }, until: { $0 == 0 })
        for number in 0..<50 { await old.center.deliver(Tick(poster: 1, number: number)) }
        let office = try RelayedProgram("office", server, [Self.incoming])
        await office.received.wait(for: 50)
        #expect(office.received.values.map(\.number) == Array(0..<50))
        // Some of the unreadable messages wait for a replica that can read them, and the others are dead letters.
        let letters = try await office.relay.deadLetters().count
        #expect(letters >= 1500 - 512 && letters <= 1500 - 128)
        for program in [office, new, old] { await program.relay.finish(within: .zero) }
    }

    @Test func `two programs that redrive the same dead letters at the same time redrive each letter once`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [Self.outgoing])
        let office = try RelayedProgram("office", server, [Self.incoming]) { $0.retryPolicy = [] }
        let fails = Lock(true)
        let token = office.center.addObserver(on: .task, for: Tick.self) { _ in
            if fails.withLock({ $0 }) { throw Failed() }
        }
        await shop.relay.waitUntilReady()
        for number in 0..<40 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        while office.faults.values.count(where: { $0.kind == .deadLetter }) < 40 {
            await office.faults.wait(for: office.faults.count + 1)
        }
        fails.withLock { $0 = false }
        let letters = try await shop.relay.deadLetters()
        #expect(letters.count == 40)
        async let one = shop.relay.redrive(letters)
        async let other = office.relay.redrive(letters)
        #expect(try await one + other == 40)
        await office.received.wait(for: 80)
        #expect(await office.relay.catchUp(within: .seconds(600)))
        #expect(office.received.count == 80)
        #expect(try await office.relay.deadLetters() == [])
        await office.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }

    @Test(arguments: [-3600, 3600])
    func `the age of the oldest message is measured by the server's clock, whatever the program's clock shows`(
        seconds: Int
    ) async throws {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [Self.outgoing])
        await shop.relay.waitUntilReady()
        await shop.center.deliver(Tick(poster: 1, number: 1))
        let gate = Gate()
        let office = try RelayedProgram("office", server, [Self.incoming]) { options in
            options.wall = { ElapsedClock.systemTime() + Int64(seconds) * 1000 }
        }
        let token = office.center.addObserver(on: .task, for: Tick.self) { _ in await gate.wait() }
        await office.received.wait(for: 1)
        var age = try await office.relay.status().routes[0].oldestAge
        while age ?? .zero < .seconds(1) { age = try await office.relay.status().routes[0].oldestAge }
        #expect(age ?? .zero < .seconds(600))
        gate.open()
        await office.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }

    @Test(arguments: [RelayRoute.Replicas.share, .each])
    func `a post of a program without incoming routes is delivered to another program of the same name`(
        replicas: RelayRoute.Replicas
    ) async throws {
        let server = try ServerProcess()
        try await server.start()
        let office = try RelayedProgram(
            "office", server, [Self.incoming.consuming { $0.replicas = replicas }]
        ) { $0.instance = "a" }
        let job = try RelayedProgram("office", server, [Self.outgoing]) { $0.instance = "job" }
        await office.relay.waitUntilReady()
        await job.relay.waitUntilReady()
        for number in 0..<100 { await job.center.deliver(Tick(poster: 1, number: number)) }
        await office.received.wait(for: 100)
        #expect(office.received.values.map(\.number) == Array(0..<100))
        await office.stop()
        await job.stop()
    }

    @Test func `a foreign program can't suppress a notification by guessing its identity`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let office = try RelayedProgram("office", server, [Self.incoming])
        let shop = try RelayedProgram("shop", server, [Self.outgoing]) { $0.identitySecret = "of the shop" }
        let stranger = try RelayedProgram("stranger", server, [Self.outgoing])
        for program in [office, shop, stranger] { await program.relay.waitUntilReady() }
        for id in ["order-7", "shop.order-7"] {
            try await stranger.relay.publish(Tick(poster: 2, number: 7), id: id)
        }
        let number = try await shop.relay.publish(Tick(poster: 1, number: 7), id: "order-7")
        #expect(number == 3)
        // A second post by the shop itself is recognized as a copy.
        #expect(try await shop.relay.publish(Tick(poster: 1, number: 7), id: "order-7") == 3)
        await office.received.wait(for: 3)
        #expect(office.received.values.map(\.poster) == [2, 2, 1])
        for program in [office, shop, stranger] { await program.stop() }
    }
}
