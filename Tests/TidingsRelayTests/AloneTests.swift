import Foundation
import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

/// Tests of redelivered messages. A redelivered message may have crashed the program, so a relay handles it alone.
@Suite(.timeLimit(.minutes(2))) struct AloneTests {
    @Test func `a completed message that is redelivered doesn't hold up later messages`() async throws {
        let asked = ReceivedValues<String>()
        let answers = try await StreamAnswers { request, _ in
            asked.append(request)
            return nil
        }
        let program = try NotificationRelayTests.Program(
            "office", answers.server, NativeNotificationCenter(),
            [.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)]
        ) { $0.retryPolicy = [] }
        await program.relay.waitUntilReady()
        let inbox = try #require(program.relay.receiver.routes.first?.reading?.inbox)
        func deliver(_ number: Int, count: Int) throws {
            let event = try CloudEvent(
                id: "\(number)", source: "shop", type: "test.tick.v1", data: Tick(number: number).encoded())
            var message = event.message("\(inbox).1", mode: .binary)
            message.reply = "$JS.ACK.TICKS.office-test_tick.\(count).\(number).\(number + count).0.0"
            answers.server.send(message, from: nil)
        }
        try deliver(1, count: 1)
        await program.ticks.wait(for: 1)
        await eventually(
            "the reader has no messages left",
            { program.relay.receiver.routes[0].reading?.reader.update({ $0.fetched.count }) },
            until: { $0 == 0 })
        // The server redelivers the message, as if the acknowledgement had been lost.
        try deliver(1, count: 2)
        await eventually("the message's note is removed") { asked.values.contains("STREAM.PURGE.TICKS_NOTES") }
        try deliver(2, count: 1)
        await program.ticks.wait(for: 2)
        #expect(program.ticks.values == [Tick(number: 1), Tick(number: 2)])
        await program.stop()
        #expect(program.faults.values == [])
    }
}
