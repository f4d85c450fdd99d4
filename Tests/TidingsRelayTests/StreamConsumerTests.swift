import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct StreamConsumerTests {
    @Test func `if the stored position of a consumer can't be read, a new consumer is created and a fault is reported`()
        async throws
    {
        let created = ReceivedValues<String>()
        let answers = try await StreamAnswers { request, _ in
            if request.hasPrefix("CONSUMER.INFO") { return #"{"error":{"code":404,"description":"none"}}"# }
            if request.hasPrefix("STREAM.MSG.GET") { return #"{"error":{"code":500,"description":"not now"}}"# }
            if request.hasPrefix("CONSUMER.DURABLE.CREATE") { created.append(request) }
            return nil
        }
        let program = try NotificationRelayTests.Program(
            "office", answers.server, NativeNotificationCenter(), [.durable(Tick.self, .incoming, stream: "TICKS")]
        ) { $0.clock = ManualClock() }
        await program.relay.waitUntilReady()
        #expect(created.values == ["CONSUMER.DURABLE.CREATE.TICKS.office-test_tick"])
        #expect(program.faults.values.map(\.kind) == [.rejected])
        #expect(program.faults.values.map(\.detail) == ["500 not now"])
        await program.stop()
    }

    @Test func `a new consumer that skips one notification reports it in the singular`() async throws {
        let stream = """
            {"config":{"subjects":[">"],"max_age":0,"max_bytes":-1,"max_msgs":-1,"discard":"old"},
            "state":{"messages":1,"subjects":{"tick":1}}}
            """
        let answers = try await StreamAnswers { request, _ in
            if request.hasPrefix("STREAM.INFO") { return stream }
            return request.hasPrefix("CONSUMER.INFO") ? #"{"error":{"code":404,"description":"none"}}"# : nil
        }
        let program = try NotificationRelayTests.Program(
            "office", answers.server, NativeNotificationCenter(), [.durable(Tick.self, .incoming, stream: "TICKS")]
        ) { $0.clock = ManualClock() }
        await program.relay.waitUntilReady()
        #expect(program.faults.values.map(\.kind) == [.skipped])
        #expect(program.faults.values.first?.detail.contains("skips 1 notification;") == true)
        await program.stop()
    }

    @Test func `catchUp returns false while a consumer is missing on the server`() async throws {
        let answers = try await StreamAnswers { _, _ in nil }
        let program = try NotificationRelayTests.Program(
            "office", answers.server, NativeNotificationCenter(), [.durable(Tick.self, .incoming, stream: "TICKS")]
        ) { $0.clock = ManualClock() }
        await program.relay.waitUntilReady()
        let stream = #"{"config":{"subjects":[">"]},"state":{"messages":5,"last_seq":5}}"#
        answers.change { request, _ in
            if request.hasPrefix("STREAM.INFO") { return stream }
            return request.hasPrefix("CONSUMER.INFO") ? #"{"num_pending":0,"num_ack_pending":0}"# : nil
        }
        #expect(await program.relay.catchUp(within: .zero))
        answers.change { request, _ in
            if request.hasPrefix("STREAM.INFO") { return stream }
            return request.hasPrefix("CONSUMER.INFO") ? #"{"error":{"code":404,"description":"none"}}"# : nil
        }
        #expect(await !program.relay.catchUp(within: .zero))
        await program.stop()
    }
}
