import Testing

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct SetbacksTests {
    @Test func `a message that failed is remembered for ten minutes after its retry is due`() {
        let fetched = FetchedMessages(inProgress: 1)
        var setbacks = Setbacks(isShared: false)
        setbacks.addFailure(1, due: .seconds(100))
        setbacks.tick(at: .seconds(699), keeping: fetched)
        #expect(setbacks.hasFailed(1))
        setbacks.tick(at: .seconds(760), keeping: fetched)
        #expect(!setbacks.hasFailed(1))
    }
}
