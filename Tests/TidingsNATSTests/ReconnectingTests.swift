import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct ReconnectingTests {
    @Test func `the relay pauses before it connects again to a server that closes each connection`() async throws {
        let dialled = ReceivedValues<Int>()
        let server = try FakeServer { connection, number in
            dialled.append(number)
            connection.accept()
        }
        let clock = ManualClock()
        let shop = try RelayedProgram("shop", NATSServer(server.address), [.transient(Tick.self)]) { $0.clock = clock }
        for number in 1...5 {
            await dialled.wait(for: number)
            // One task runs the relay's periodic checks, and another one waits before it reconnects.
            await eventually("two tasks sleep", { clock.sleepers }, until: { $0 >= 2 })
            #expect(dialled.count == number)
            clock.advance(by: RelayRunner.longestPause)
        }
        await shop.relay.finish(within: .zero)
        withExtendedLifetime(server) {}
    }
}
