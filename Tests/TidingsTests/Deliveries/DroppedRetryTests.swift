import TestSupport
import Testing
import TidingsEngine
import TidingsTesting

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

    @Test func `a drain waits for a retry, even if the queue dropped notifications during the failed call`() async {
        let clock = ManualClock()
        let mailbox = Mailbox<Int>(
            buffering: .latest(1), retrying: RetryPlan(delays: [.seconds(1)], keepsOrder: true, clock: clock)
        ) { _ in }
        let isHandled = Lock(false)
        mailbox.put(1)
        let isWaiting = mailbox.state.withLock { $0.waitForHandling(of: nil) { isHandled.withLock { $0 = true } } }
        #expect(isWaiting)
        _ = mailbox.run(onFailure: nil) { number in
            guard number == 1 else { return }
            for next in 2...3 { mailbox.put(next) }
            throw Refused()
        }
        #expect(mailbox.droppedCount == 1 && !isHandled.withLock { $0 })
        await clock.waitForSleepers()
        mailbox.cancel()
        #expect(isHandled.withLock { $0 } && clock.sleepers == 0)
    }

    private struct WeakTimer: Sendable {
        weak let timer: RetryTimer?
    }

    @Test func `the timer of a retry is released after the retry`() async {
        let clock = ManualClock()
        let mailbox = Mailbox<Int>(
            buffering: .unbounded, retrying: RetryPlan(delays: [.seconds(1)], keepsOrder: true, clock: clock)
        ) { _ in }
        mailbox.put(1)
        _ = mailbox.run(onFailure: nil) { _ in throw Refused() }
        let weak = mailbox.state.withLock { state -> WeakTimer in
            let waiting = state.retries?.takeOldest()
            if let waiting { state.retries?.add(waiting, after: 0) }
            return WeakTimer(timer: waiting?.timer)
        }
        #expect(weak.timer != nil)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await eventually("the retry is due") { mailbox.state.withLock { $0.retries?.hasDue == true } }
        let calls = ReceivedValues<Int>()
        _ = mailbox.run(onFailure: nil) { calls.append($0) }
        #expect(calls.values == [1])
        await eventually("the timer is released") { weak.timer == nil }
    }
}

private struct Refused: Error {}
