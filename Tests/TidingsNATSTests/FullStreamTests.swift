import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct FullStreamTests {
    private func makeStream(_ limits: String, at server: ServerProcess) async throws {
        let config = #"{"name":"TICKS","subjects":["tidings.test.tick.*"],"discard":"new",\#(limits)}"#
        try await manage(server, "STREAM.CREATE.TICKS", config)
    }

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

    @Test func `notifications are queued while their stream is full, and are later stored once and in order`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        try await makeStream(#""max_msgs":2000"#, at: server)
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        for number in 0..<3000 { shop.center.post(Tick(poster: 1, number: number)) }
        // The stream is full. The relay has tried to store the remaining notifications at least once, or is about to.
        _ = await shop.fault(.streamFull)
        await eventually("at most a thousand notifications wait", { shop.relay.unsentCount }, until: { $0 <= 1000 })
        #expect(shop.relay.unsentCount == 1000)
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

    @Test func `no notification is lost while the storage of a server is exhausted`() async throws {
        let server = try ServerProcess(["-js"], configuration: "jetstream { max_file_store: 3000000 }\n")
        try await server.start()
        try await makeStream(#""max_msgs":-1"#, at: server)
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        for number in 0..<30_000 { shop.center.post(Tick(poster: 1, number: number)) }
        _ = await shop.fault(.streamFull)
        let stored = try await shop.ask("STREAM.INFO.TICKS")?.object("state")?.number("messages") ?? 0
        print("\(stored) of 30,000 notifications are stored, and \(shop.relay.unsentCount) are queued")
        // Frees storage, as an administrator would do, by removing the stored messages.
        var kept = 0
        try await eventually("no notification waits") {
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
        `no unacknowledged notification is lost if a stream is deleted and created again by the test or the relay`(
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
        // The notifications that the new stream lacks are those that the old stream had stored. Their sequence numbers
        // start at 1 and have no gap.
        let found = Set(office.received.values.map(\.number))
        let gone = stored.values.filter { !found.contains($0.number) }.map(\.sequence).sorted()
        print("of 20,000 publications, \(found.count) are in the new stream, and \(gone.count) were in the old one")
        #expect(gone == gone.indices.map { UInt64($0) + 1 } && found.count + gone.count == 20_000)
        await office.stop()
        await shop.stop()
    }
}
