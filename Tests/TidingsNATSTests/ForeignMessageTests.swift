import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsNATS
@testable import TidingsRelay

/// What other programs publish can be anything.
@Suite(.timeLimit(.minutes(3))) struct ForeignMessageTests {
    @Test func `what others publish is a notification, or a fault of its own kind`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let office = try RelayedProgram("office", server, [.transient(Tick.self, .incoming)])
        await office.relay.ready
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
        #expect(
            office.faults.values.map(\.kind) == [.unknownType, .unknownVersion, .undecodable, .undecodable])
        #expect(office.faults.values.map(\.id) == ["1", "2", "3", nil])
        other.close()
        await office.stop()
    }

    @Test func `mutated messages are a notification or a fault each, and the good ones arrive`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let office = try RelayedProgram("office", server, [.transient(Tick.self, .incoming)])
        let all = ReceivedValues<Void>()
        let tokens = [
            office.center.addObserver(for: RelayFault.self) { _ in all.append(()) },
            office.center.addObserver(for: Tick.self) { _ in all.append(()) },
        ]
        await office.relay.ready
        let other = try await connect(server)
        var random = SystemRandomNumberGenerator()
        let count = 20_000
        var sent = 0
        for number in 0..<count {
            let event = CloudEvent(
                id: "\(number)", source: "there", type: "test.tick.v1", trace: TraceContext(traceparent: "00-1"),
                data: try Tick(poster: 1, number: number).encoded())
            var message = event.message("tidings.test.tick.v1", mode: number.isMultiple(of: 2) ? .structured : .binary)
            if !number.isMultiple(of: 10) { message.mutate(&random) }
            if other.publish(message) == .accepted { sent += 1 }
        }
        #expect(sent == count)
        await all.wait(for: sent)
        #expect(office.received.count + office.faults.count == sent)
        #expect(Set(office.received.values.map(\.number)).isSuperset(of: (0..<count).filter { $0.isMultiple(of: 10) }))
        #expect(office.faults.values.allSatisfy { [.undecodable, .unknownType, .unknownVersion].contains($0.kind) })
        other.close()
        await office.stop()
        withExtendedLifetime(tokens) {}
    }
}

extension RelayMessage {
    /// Changes some bytes, or leaves out a header.
    fileprivate mutating func mutate(_ random: inout some RandomNumberGenerator) {
        if !headers.isEmpty, Bool.random(using: &random) {
            headers.remove(at: .random(in: 0..<headers.count, using: &random))
        }
        for _ in 0..<Int.random(in: 1...3, using: &random) where !body.isEmpty {
            let place = Int.random(in: 0..<body.count, using: &random)
            switch Int.random(in: 0...2, using: &random) {
            case 0: body[place] = .random(in: 0...255, using: &random)
            case 1: body.remove(at: place)
            default: body.removeLast(.random(in: 0...body.count, using: &random))
            }
        }
    }
}
