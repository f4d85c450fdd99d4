import Testing

@testable import TidingsRelay

/// When a relay connects again.
@Suite struct ConnectionPausesTests {
    /// The same numbers in each run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
        }
    }

    @Test func `of sixty programs that lose a server no more than twelve come back in one tenth of a second`() {
        var numbers = Numbers(state: 42)
        let first = (0..<60).map { _ in
            var pauses = ConnectionPauses()
            return pauses.next(using: &numbers)
        }
        let tenths = Dictionary(grouping: first) { Int($0 / .milliseconds(100)) }
        #expect(tenths.values.map(\.count).max() ?? 60 <= 12 && tenths.count >= 9)
    }

    @Test func `pauses grow until a connection has lived for some seconds`() {
        var numbers = Numbers(state: 1)
        var pauses = ConnectionPauses()
        func longest(_ rounds: Int, life: Duration) -> Duration {
            (0..<rounds).map { _ in
                pauses.noteEnd(after: life)
                return pauses.next(using: &numbers)
            }.max() ?? .zero
        }
        #expect(longest(100, life: .seconds(4)) > .seconds(7))
        #expect(longest(100, life: .seconds(4)) <= ConnectionPauses.longest)
        #expect(longest(100, life: .seconds(5)) <= .seconds(1))
    }
}
