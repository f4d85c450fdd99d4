import Testing

@testable import Tidings

@Suite(.timeLimit(.minutes(2))) struct DroppedRetryTests {
    @Test func `a dropped element isn't retried when its timer ends`() {
        var retries = Retries<Int>(
            RetryPlan(delays: [.seconds(1)], keepsOrder: false, clock: ContinuousClock()))
        for number in 1...2 {
            retries.add(
                .init(queued: Queued(number, scope: .none), number: number, timer: RetryTimer()), after: 0)
        }
        let dropped = retries.takeOldest()?.number
        #expect(dropped == 1)
        let isDropped = !retries.noteDue(1)
        #expect(isDropped)
        #expect(!retries.hasDue)
        let isKept = retries.noteDue(2)
        #expect(isKept)
        let next = retries.takeDue()?.element
        #expect(next == 2)
        #expect(retries.count == 0)
    }
}
