import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct PlaceKeeperTests {
    @Test func `a consumer's position is recorded when the consumer has made progress, at most once a second`()
        async throws
    {
        let clock = ManualClock()
        // The sequence number that the server reports for the last acknowledged message.
        let last = Lock(0)
        let answers = try await StreamAnswers { request, _ in
            guard request.hasPrefix("CONSUMER.INFO") else { return nil }
            return #"{"num_ack_pending":0,"ack_floor":{"stream_seq":\#(last.withLock { $0 })}}"#
        }
        let program = try NotificationRelayTests.Program(
            "office", answers.server, NativeNotificationCenter(), [.durable(Tick.self, .incoming, stream: "TICKS")]
        ) { $0.clock = clock }
        await program.relay.waitUntilReady()
        let reading = try #require(program.relay.receiver.routes[0].reading)
        let places = program.relay.receiver.handler.settlement.places
        let link = try #require(program.relay.connection.link as? MemoryLink)
        func recorded() -> [String] {
            link.published.filter { $0.subject == "tidings-note.TICKS.office-test_tick.place" }
                .map { String(decoding: $0.body, as: UTF8.self) }
        }
        func receive(_ number: Int) async throws {
            last.withLock { $0 = number }
            answers.server.send(try Tick(number: number).delivered(to: reading), from: nil)
            await eventually("the message is acknowledged") {
                reading.reader.update { $0.fetched.acknowledgedCount } == UInt64(number)
            }
        }
        func isBusy() -> Bool { reading.noted.state.withLock { $0.isBusy } }

        places.noteIfDue(reading)
        #expect(!isBusy() && recorded().isEmpty)
        try await receive(1)
        places.noteIfDue(reading)
        await eventually("the position is recorded", recorded, until: { $0 == [#"{"seq":1,"created":""}"#] })
        await eventually("no request is in progress") { !isBusy() }
        // The consumer has made progress, but a second hasn't passed.
        try await receive(2)
        places.noteIfDue(reading)
        #expect(!isBusy() && recorded().count == 1)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await eventually(
            "the next position is recorded", { recorded().last }, until: { $0 == #"{"seq":2,"created":""}"# })
        #expect(recorded().count == 2)
        await program.stop()
        #expect(program.faults.values == [])
    }

    @Test func `with a consumer lifetime, positions aren't stored, and the server isn't queried for them`()
        async throws
    {
        let queries = ReceivedValues<String>()
        let answers = try await StreamAnswers { request, _ in
            if request.hasPrefix("CONSUMER.INFO") { queries.append(request) }
            return nil
        }
        let program = try NotificationRelayTests.Program(
            "office", answers.server, NativeNotificationCenter(), [.durable(Tick.self, .incoming, stream: "TICKS")]
        ) { options in
            options.clock = ManualClock()
            options.consumerLifetime = .seconds(60)
        }
        await program.relay.waitUntilReady()
        let reading = try #require(program.relay.receiver.routes[0].reading)
        let link = try #require(program.relay.connection.link as? MemoryLink)
        let count = queries.count
        let places = program.relay.receiver.handler.settlement.places
        await places.note(of: reading)
        #expect(queries.count == count)
        await places.note(1, of: reading)
        await program.stop()
        #expect(!link.published.contains { $0.subject.hasSuffix(".place") })
    }
}
