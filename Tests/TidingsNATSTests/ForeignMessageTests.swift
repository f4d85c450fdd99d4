import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct ForeignMessageTests {
    @Test func `a message from a foreign program yields a notification or a fault of the matching kind`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let office = try RelayedProgram("office", server, [.transient(Tick.self, .incoming)])
        await office.relay.waitUntilReady()
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
        // Faults of the same kind are reported at most once per second.
        _ = await office.faults(.undecodable, 2)
        #expect(
            office.faults.values.map(\.kind) == [.unknownType, .unknownVersion, .undecodable, .undecodable])
        #expect(office.faults.values.map(\.id) == ["1", "2", "3", nil])
        other.close()
        await office.stop()
    }

    @Test func `each mutated message yields a notification or a fault, and valid messages arrive`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let office = try RelayedProgram("office", server, [.transient(Tick.self, .incoming)])
        let all = ReceivedValues<Void>()
        let tokens = [
            office.center.addObserver(for: RelayFault.self) { fault in for _ in 0..<fault.count { all.append(()) } },
            office.center.addObserver(for: Tick.self) { _ in all.append(()) },
        ]
        await office.relay.waitUntilReady()
        let other = try await connect(server)
        var random = SystemRandomNumberGenerator()
        let count = RelayTrials.mutated
        for number in 0..<count {
            #expect(other.publish(try Self.message(number, &random)) == .accepted)
            // At most 100,000 messages are in flight. If there were more, the relay would drop some.
            await all.wait(for: number - 100_000)
        }
        await all.wait(for: count)
        #expect(office.received.count + office.faults.values.reduce(0) { $0 + $1.count } == count)
        #expect(Set(office.received.values.map(\.number)).isSuperset(of: Self.good(count)))
        #expect(office.faults.values.allSatisfy { Self.unreadable.contains($0.kind) })
        other.close()
        await office.stop()
        withExtendedLifetime(tokens) {}
    }

    @Test func `each mutated message of a stream yields a notification or a dead letter, and valid messages arrive`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let office = try RelayedProgram("office", server, [.durable(Tick.self, .incoming, stream: "TICKS")]) {
            // The acknowledgement time is so long that the server redelivers no message, even on a slow machine.
            $0.acknowledgementTime = .seconds(60)
            // An unreadable message becomes a dead letter at once.
            $0.retryPolicy = []
        }
        let letters = ReceivedValues<Void>()
        let all = ReceivedValues<Void>()
        let tokens = [
            office.center.addObserver(for: RelayFault.self) { fault in
                if fault.kind == .deadLetter { letters.append(()) }
                if Self.unreadable.contains(fault.kind) { for _ in 0..<fault.count { all.append(()) } }
            },
            office.center.addObserver(for: Tick.self) { _ in all.append(()) },
        ]
        await office.relay.waitUntilReady()
        let other = try await connect(server)
        let stored = ReceivedValues<Void>()
        let subscription = try other.subscribe("stored", group: nil) { _ in stored.append(()) }
        var random = SystemRandomNumberGenerator()
        let count = RelayTrials.mutated
        for number in 0..<count {
            var message = try Self.message(number, &random)
            message.reply = "stored"
            #expect(other.publish(message) == .accepted)
            await stored.wait(for: number - 1000)
        }
        await all.wait(for: count)
        let faults = office.faults.values.filter { Self.unreadable.contains($0.kind) }
        let unreadable = faults.reduce(0) { $0 + $1.count }
        await letters.wait(for: unreadable)
        #expect(office.received.count + unreadable == count)
        #expect(office.faults.count == faults.count + unreadable)
        #expect(Set(office.received.values.map(\.number)).isSuperset(of: Self.good(count)))
        // Each message is completed, either as a notification or as a dead letter, and none is redelivered.
        #expect(await office.relay.catchUp(within: .seconds(60)))
        for (stream, messages) in [("TICKS", count), ("TICKS_DEAD", unreadable)] {
            #expect(try await office.ask("STREAM.INFO.\(stream)")?.object("state")?.number("messages") == messages)
        }
        other.close()
        await office.stop()
        withExtendedLifetime((tokens, subscription)) {}
    }

    private static let unreadable: Set<RelayFault.Kind> = [.undecodable, .unknownType, .unknownVersion]

    /// Returns the numbers of the messages that aren't mutated.
    private static func good(_ count: Int) -> some Sequence<Int> { stride(from: 0, to: count, by: 10) }

    /// Returns a message, which is mutated for nine of ten numbers.
    private static func message(_ number: Int, _ random: inout some RandomNumberGenerator) throws -> RelayMessage {
        let event = CloudEvent(
            // The identity contains the number twice, so that a mutated identity hardly ever equals the identity of
            // another event. The relay would drop a message with an equal identity as a copy.
            id: "\(number) \(number)", source: "there", type: "test.tick.v1",
            trace: RelayTraceContext(traceparent: "00-1"),
            data: try Tick(poster: 1, number: number).encoded())
        var message = event.message("tidings.test.tick.v1", mode: number.isMultiple(of: 2) ? .structured : .binary)
        if !number.isMultiple(of: 10) { message.mutate(&random) }
        return message
    }
}

extension RelayMessage {
    fileprivate mutating func mutate(_ random: inout some RandomNumberGenerator) {
        if !headers.isEmpty {
            let place = Int.random(in: 0..<headers.count, using: &random)
            let header = headers[place]
            switch Int.random(in: 0...5, using: &random) {
            case 0, 1: headers.remove(at: place)
            case 2: headers[place] = .init(header.name.uppercased(), header.value)
            case 3: headers[place] = .init(header.name, String(header.value.dropFirst()))
            default: break
            }
        }
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0...2, using: &random) {
            case 0: bytes[place] = .random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            default: bytes.removeLast(.random(in: 0...bytes.count, using: &random))
            }
        }
    }
}
