import Testing
import TidingsTesting

@testable import Tidings

/// A turn calls an observer for queued elements. While calls are quick, a turn takes several elements.
@Suite(.timeLimit(.minutes(2))) struct SuspendableTurnTests {
    private struct Refused: Error {}

    /// The pace after quick calls. With this pace, the durations of the first two calls don't end the turn.
    private var quick: Pace {
        let now = Pace.now
        var pace = Pace()
        pace.begin(at: now)
        _ = pace.look(at: now)
        return pace
    }

    @Test(arguments: [true, false])
    func `if a quick call will be retried, its turn ends only if later elements wait for the retry`(
        keepsOrder: Bool
    ) async {
        let plan = RetryPlan(delays: [.seconds(1)], keepsOrder: keepsOrder, clock: ManualClock())
        let mailbox = Mailbox<Int>(retrying: plan) { _ in }
        mailbox.state.withLock { $0.pace = quick }
        for number in 1...3 { mailbox.put(number) }
        var turn = SuspendableTurn(of: mailbox, onFailure: nil)
        let hasBegun = mailbox.begin(turn.call, at: &turn.pace, with: &turn.batch)
        #expect(hasBegun)
        var continues: [Bool] = []
        for number in 1...2 {
            guard let next = turn.next() else { break }
            #expect(next.element == number)
            await turn.perform(next, isolation: nil) { if number == 2 { throw Refused() } }
            continues.append(turn.goesOn())
        }
        #expect(continues == [true, !keepsOrder])
        turn.call.end()
        mailbox.end(returning: &turn.batch, at: turn.pace)
        mailbox.cancel()
    }
}
