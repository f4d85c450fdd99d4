import TestSupport
import Testing

@testable import Tidings

/// A turn, which calls the observer for queued elements, can end after it has taken out an element for a retry and
/// before it has called the observer.
@Suite(.timeLimit(.minutes(2))) struct RetryGiveBackTests: ~Copyable {
    private typealias State = MailboxState<Int>

    private var state = State(
        .unbounded,
        retrying: RetryPlan(delays: [.seconds(1), .seconds(1)], keepsOrder: false, clock: ContinuousClock()),
        runner: .init { _ in })

    private mutating func failNext() {
        var batch = State.Queue()
        state.takeAgain(into: &batch)
        guard let next = batch.popFirst(), let (_, called) = state.reserveRetry(inHand: batch.count) else {
            Issue.record("no element is next, or none can be retried")
            return
        }
        _ = state.giveBack(&batch)
        state.retries?.add(.init(queued: next, number: called.number, timer: RetryTimer()), after: called.calls)
    }

    private mutating func takeNext() -> (Int?, calls: Int?) {
        var batch = State.Queue()
        state.takeAgain(into: &batch)
        return (batch.popFirst()?.element, state.retries?.called?.calls)
    }

    @Test
    mutating func `an element that was taken for a retry and given back is next again, and keeps its number of calls`()
    {
        for number in 1...3 { _ = state.put(Queued(number, scope: .none)) }
        failNext()
        failNext()
        #expect(state.retryingCount == 2)
        for number in 1...2 { _ = state.noteDue(number) }
        for _ in 0..<3 {
            var batch = State.Queue()
            state.takeAgain(into: &batch)
            #expect(batch.count == 1 && state.retryingCount == 1)
            guard case .none = state.giveBack(&batch) else {
                Issue.record("the element was discarded")
                return
            }
            #expect(batch.isEmpty && state.retryingCount == 2 && state.canGoOn)
        }
        // The first element fails again, so the observer has been called with it twice.
        failNext()
        _ = state.noteDue(1)
        #expect(takeNext() == (1, calls: 2))
        #expect(takeNext() == (2, calls: 1))
        #expect(takeNext() == (3, calls: nil))
        #expect(state.retryingCount == 0)
    }

    @Test mutating func `if a mailbox is cancelled before an element is given back, the element is discarded`() {
        _ = state.put(Queued(1, scope: .none))
        failNext()
        _ = state.noteDue(1)
        var batch = State.Queue()
        state.takeAgain(into: &batch)
        _ = state.cancel()
        guard let discarded = state.giveBack(&batch) else {
            Issue.record("the element was kept")
            return
        }
        #expect(discarded.count == 1 && batch.isEmpty)
    }
}
