import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

/// What becomes of notifications whose stream cannot take them now, or is gone.
@Suite(.timeLimit(.ofServers)) struct FullStreamTests {
    /// Makes a stream that refuses what is new when it is full.
    private func makeStream(_ limits: String, at server: ServerProcess) async throws {
        let config = #"{"name":"TICKS","subjects":["tidings.test.tick.*"],"discard":"new",\#(limits)}"#
        try await manage(server, "STREAM.CREATE.TICKS", config)
    }

    /// Has a server do what an administrator has it do.
    private func manage(_ server: ServerProcess, _ request: String, _ body: String = "") async throws {
        let link = try await connect(server)
        let answers = ReceivedValues<RelayMessage>()
        let subscription = try link.subscribe("answers", group: nil) { answers.append($0) }
        _ = link.publish(RelayMessage("$JS.API.\(request)", reply: "answers", text: body))
        await answers.wait(for: 1)
        #expect(answers.values.first?.bytes.isEmpty == false)
        link.close()
        withExtendedLifetime(subscription) {}
    }

    @Test func `what a full stream does not take waits until it does, and all of it is stored once and in order`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        try await makeStream(#""max_msgs":2000"#, at: server)
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        for number in 0..<3000 { shop.center.post(Tick(poster: 1, number: number)) }
        // What the stream has room for; the rest has been refused at least once, or is about to be.
        _ = await shop.fault(.streamFull)
        await eventually("at most a thousand notifications wait", { shop.relay.unsentCount }, until: { $0 <= 1000 })
        #expect(shop.relay.unsentCount == 1000)
        // Somebody makes room.
        try await manage(
            server, "STREAM.UPDATE.TICKS",
            #"{"name":"TICKS","subjects":["tidings.test.tick.*"],"discard":"new","max_msgs":5000}"#)
        let last = try await shop.relay.publish(Tick(poster: 1, number: 3000))
        #expect(last == 3001)
        let office = try RelayedProgram(
            "office", server, [.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)])
        await office.received.wait(for: 3001)
        #expect(office.received.values.map(\.number) == Array(0...3000))
        await office.stop()
        await shop.stop()
    }

    @Test func `a server whose storage is exhausted loses nothing that it has refused`() async throws {
        let server = try ServerProcess(["-js"], configuration: "jetstream { max_file_store: 3000000 }\n")
        try await server.start()
        try await makeStream(#""max_msgs":-1"#, at: server)
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        for number in 0..<30_000 { shop.center.post(Tick(poster: 1, number: number)) }
        _ = await shop.fault(.streamFull)
        let stored = try await shop.ask("STREAM.INFO.TICKS")?.object("state")?.number("messages") ?? 0
        print("of 30,000, \(stored) are stored or on their way, and \(shop.relay.unsentCount) wait")
        // Storage comes back: an administrator removes what was read.
        var kept = 0
        try await eventually("nothing waits") {
            if shop.relay.unsentCount == 0 { return true }
            kept += try await shop.ask("STREAM.PURGE.TICKS")?.number("purged") ?? 0
            return false
        }
        kept += try await shop.ask("STREAM.PURGE.TICKS")?.number("purged") ?? 0
        #expect(kept == 30_000)
        await shop.stop()
    }

    @Test(arguments: [false, true])
    func
        `of a stream that is deleted, and made again at once or by the relay, nothing is lost that was not acknowledged`(
            isMadeByRelay: Bool
        ) async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        let (stored, failed) = (ReceivedValues<(number: Int, sequence: UInt64)>(), ReceivedValues<Int>())
        let posting = Task {
            await withTaskGroup { group in
                for number in 0..<20_000 {
                    group.addTask {
                        do {
                            stored.append((number, try await shop.relay.publish(Tick(poster: 1, number: number))))
                        } catch { failed.append(number) }
                    }
                    if number % 1000 == 0 { await Task.yield() }
                }
            }
        }
        await stored.wait(for: 2000)
        try await manage(server, "STREAM.DELETE.TICKS")
        if !isMadeByRelay { try await makeStream(#""max_msgs":-1"#, at: server) }
        await posting.value
        #expect(failed.values == [])
        let office = try RelayedProgram(
            "office", server, [.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)])
        await office.relay.waitUntilReady()
        #expect(await office.relay.catchUp(within: .seconds(600)))
        // What the new stream does not have, the old one had: all that it had, from its first message on.
        let found = Set(office.received.values.map(\.number))
        let gone = stored.values.filter { !found.contains($0.number) }.map(\.sequence).sorted()
        print("of 20,000 publications, \(found.count) are in the new stream, and \(gone.count) were in the old one")
        #expect(gone == gone.indices.map { UInt64($0) + 1 } && found.count + gone.count == 20_000)
        await office.stop()
        await shop.stop()
    }
}
