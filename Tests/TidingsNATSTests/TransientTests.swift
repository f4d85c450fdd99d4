import TestSupport
import Testing
import Tidings
import TidingsNATS
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct TransientTests {
    @Test func `what one program posts is posted in the other, and does not come back`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let first = try RelayedProgram("first", server, [.transient(Tick.self)])
        let second = try RelayedProgram("second", server, [.transient(Tick.self)])
        await first.relay.ready
        await second.relay.ready
        for number in 0..<1000 {
            first.center.post(Tick(poster: 1, number: number))
            second.center.post(Tick(poster: 2, number: number))
        }
        await first.received.wait(for: 2000)
        await second.received.wait(for: 2000)
        for program in [first, second] {
            for poster in 1...2 {
                #expect(program.received.values.filter { $0.poster == poster }.map(\.number) == Array(0..<1000))
            }
        }
        await first.stop()
        await second.stop()
        #expect(first.received.count == 2000 && second.received.count == 2000)
        #expect(first.faults.values == [] && second.faults.values == [])
    }
}
