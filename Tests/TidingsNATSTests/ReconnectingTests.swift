import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

/// How often a server that takes no program is dialled.
@Suite(.timeLimit(.ofServers)) struct ReconnectingTests {
    @Test func `a server that accepts and closes is dialled once for each pause`() async throws {
        let dialled = ReceivedValues<Int>()
        let server = try FakeServer { connection, number in
            dialled.append(number)
            connection.accept()
        }
        let clock = ManualClock()
        let shop = try RelayedProgram("shop", NATSServer(server.address), [.transient(Tick.self)]) { $0.clock = clock }
        for number in 1...5 {
            await dialled.wait(for: number)
            // One sleeps to keep time, one until it connects again.
            await eventually("two tasks sleep", { clock.sleepers }, until: { $0 >= 2 })
            #expect(dialled.count == number)
            clock.advance(by: RelayRunner.longestPause)
        }
        await shop.relay.finish(within: .zero)
        withExtendedLifetime(server) {}
    }
}
