import Testing

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct SetbacksTests {
    @Test func `a message that failed is remembered for ten minutes after its retry is due`() {
        var setbacks = Setbacks(isShared: false)
        setbacks.addFailure(1, due: .seconds(100))
        setbacks.tick(at: .seconds(699))
        #expect(setbacks.hasFailed(1))
        setbacks.tick(at: .seconds(760))
        #expect(!setbacks.hasFailed(1))
    }
}
