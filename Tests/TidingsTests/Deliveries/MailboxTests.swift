import Synchronization
import Testing

@testable import Tidings

@Suite struct MailboxTests {
    @Test(arguments: [BufferingPolicy.unbounded, .oldest(3), .latest(3)])
    func `a turn that ends halfway through a cancel loses nothing that a delivery waits for`(
        policy: BufferingPolicy
    ) async {
        let mailbox = Mailbox<Int>(buffering: policy) { _ in }
        let window = WaitGraph.update { $0.openScope(from: nil) }
        for number in 0..<3 {
            let scope = WaitGraph.enter(window, mailbox: ObjectIdentifier(mailbox))
            mailbox.put(Queued(number, scope: scope))
        }
        WaitGraph.update { $0.close(window) }
        let call = Call(of: mailbox, canWait: false)
        var batch = Batch<Queued<Int>>()
        #expect(mailbox.begin(call, with: &batch))
        // What another thread does that cancels: it says so, and before it gets at the backlog, the turn ends.
        mailbox.cancelled.store(true, ordering: .releasing)
        mailbox.end(call, returning: &batch)
        mailbox.cancel()
        // So that a call which was lost shows as one that is missing, and not as a wait without end.
        WaitGraph.update { $0.abandon(window.scope) }
        let outcome = await withCheckedContinuation { continuation in
            WaitGraph.update { $0.wait(window.scope, .init(continuation: continuation, call: nil)) }
        }
        #expect(outcome.discardedCalls == 3)
        #expect(outcome.isComplete)
    }

    @Test func `what is left in a mailbox that nobody runs is not waited for`() async {
        let window = WaitGraph.update { $0.openScope(from: nil) }
        do {
            let mailbox = Mailbox<Int> { _ in }
            mailbox.put(Queued(1, scope: WaitGraph.enter(window, mailbox: ObjectIdentifier(mailbox))))
        }
        WaitGraph.update { $0.close(window) }
        // As above.
        WaitGraph.update { $0.abandon(window.scope) }
        let outcome = await withCheckedContinuation { continuation in
            WaitGraph.update { $0.wait(window.scope, .init(continuation: continuation, call: nil)) }
        }
        #expect(outcome.discardedCalls == 1)
        #expect(outcome.isComplete)
    }

    @Test func `a negative limit is a programmer's error`() async {
        await #expect(processExitsWith: .failure) { _ = Mailbox<Int>(buffering: .latest(-1)) { _ in } }
        await #expect(processExitsWith: .failure) { _ = Mailbox<Int>(buffering: .oldest(-1)) { _ in } }
    }
}
