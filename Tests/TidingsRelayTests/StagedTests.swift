import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

/// Tests of a stream whose leader fails after it has received a message and before the message is stored.
@Suite(.timeLimit(.minutes(2))) struct StagedTests {
    @Test(arguments: [MemoryStreams.Answer.claims, .conflicts])
    func `a message counts as stored only when the stream's answer contains its number`(_ answer: MemoryStreams.Answer)
        async throws
    {
        let (server, clock) = (MemoryServer(), ManualClock())
        let streams = try await MemoryStreams(server)
        streams.answer("tidings.test.tick", answer)
        let shop = try NotificationRelayTests.Program(
            "shop", server, NativeNotificationCenter(), [.durable(Tick.self, .outgoing, stream: "S")]
        ) { $0.clock = clock }
        await shop.relay.waitUntilReady()
        let published = Task { try await shop.relay.publish(Tick(number: 1)) }
        await eventually("the message is sent several times") {
            clock.advance(by: .milliseconds(100))
            return streams.arrived.count > 2
        }
        #expect(streams.ids == [] && shop.relay.unsentCount == 1)
        streams.answer("tidings.test.tick", .stores)
        await eventually("the message is stored") {
            clock.advance(by: .milliseconds(100))
            return shop.relay.unsentCount == 0
        }
        #expect(try await published.value == 1)
        #expect(streams.ids.count == 1)
        #expect(shop.faults.values.filter { $0.detail.contains("is in process") } == [])
        await shop.relay.finish(within: .zero)
    }
}
