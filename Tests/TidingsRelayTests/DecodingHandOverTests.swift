import Foundation
import TestSupport
import Testing
import TidingsOutbox
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct DecodingHandOverTests {
    private struct SlowlyDecoded: RemoteNotification {
        static let wireName = "test.slowly.decoded"
        static let whileDecoding = Lock<(@Sendable () -> Void)?>(nil)

        func encoded() throws -> Data { Data() }

        static func decoded(_ body: Data) throws -> SlowlyDecoded {
            let hook = whileDecoding.withLock { $0 }
            hook?()
            return SlowlyDecoded()
        }
    }

    @Test func `a disconnected relay releases the table even while it decodes a row for a full send buffer`()
        async throws
    {
        let (clock, patience) = (JumpingClock(), Duration.seconds(86_400))
        var options = RelayOptions(name: "shop")
        (options.handOverTime, options.sendBufferLimit, options.clock) = (patience, 1, clock)
        let center = NativeNotificationCenter()
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: center)
        let relay = try NotificationRelay(
            center, connector: MemoryServer(), options: options,
            routes: [.durable(SlowlyDecoded.self, .outgoing, stream: "S")], outbox: outbox)
        let table = try #require(relay.table)
        let released = ReceivedValues<Int>()
        SlowlyDecoded.whileDecoding.withLock {
            $0 = { [weak table] in
                table?.setConnected(false)
                clock.jump(by: patience)
                table?.tick()
                released.append(1)
            }
        }
        // The test stands in for the running relay: it reports the connection, and calls `tick`.
        table.noteRun()
        let isFull = relay.sender.append(RelayMessage("other"), to: Destination()) { _ in }
        #expect(isFull)
        table.setConnected(true)
        try outbox.post(SlowlyDecoded())
        await released.wait(for: 1)
        await eventually("the table is released", { outbox.runningObservers.first?.state }, until: { $0 != .running })
        SlowlyDecoded.whileDecoding.withLock { $0 = nil }
        #expect(relay.unsentCount == 1)
        await outbox.finish(within: .zero)
    }
}
