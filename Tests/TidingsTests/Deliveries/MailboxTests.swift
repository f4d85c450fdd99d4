import Synchronization
import Testing

@testable import Tidings

@Suite struct MailboxTests {
    @Test func `the room that a burst needed is given back when it was handled`() {
        let mailbox = Mailbox<Int> { _ in }
        for number in 0..<10_000 { mailbox.put(number) }
        while mailbox.run({ _ in }) {}
        let room = mailbox.state.withLock { $0.backlog.front.elements.capacity + $0.backlog.back.elements.capacity }
        #expect(room < 100)
    }

    @Test(arguments: [BufferingPolicy.unbounded, .oldest(3), .latest(3)], Moment.allCases)
    func `a turn that ends halfway through a cancel loses nothing that a delivery waits for`(
        policy: BufferingPolicy, moment: Moment
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
        // What another thread does that cancels, step by step among those of the turn that ends.
        switch moment {
        case .before:
            mailbox.cancelled.store(true, ordering: .releasing)
            mailbox.end(call, returning: &batch)
            mailbox.cancel()
        case .between:
            call.end()
            mailbox.discardIfCancelled(&batch)
            mailbox.cancel()
            mailbox.giveBack(&batch)
        }
        let outcome = await outcome(of: window)
        #expect(outcome.discardedCalls == 3)
        #expect(outcome.isComplete)
    }

    /// When a mailbox is cancelled while a turn ends.
    enum Moment: CaseIterable {
        /// It was said before the turn looked, and the backlog is emptied when the turn has ended.
        case before
        /// After the turn has looked, and before it gives back what was not handled.
        case between
    }

    /// What became of the calls of a delivery, as far as that is known by now: a call that was lost shows as one that is
    /// missing, and not as a wait without end.
    private func outcome(of window: DeliveryWindow) async -> ScopeOutcome {
        WaitGraph.update { $0.abandon(window.scope) }
        return await withCheckedContinuation { continuation in
            WaitGraph.update { $0.wait(window.scope, .init(continuation: continuation, call: nil)) }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a call that ends before somebody waits for it is not waited for`() async {
        let mailbox = Mailbox<Int> { _ in }
        var batch = Batch<Queued<Int>>()
        for number in 0..<2 {
            mailbox.put(number)
            let call = Call(of: mailbox, canWait: true)
            #expect(mailbox.begin(call, with: &batch))
            _ = batch.next()
            async let ended: Void = mailbox.waitForEnd(of: call)
            if number == 0 { await Task.yield() }
            mailbox.end(call, returning: &batch)
            await ended
            // Also when the next one is running.
            mailbox.put(2)
            let next = Call(of: mailbox, canWait: true)
            #expect(mailbox.begin(next, with: &batch))
            await mailbox.waitForEnd(of: call)
            _ = batch.next()
            mailbox.end(next, returning: &batch)
        }
    }

    @Test func `what is left in a mailbox that nobody runs is not waited for`() async {
        let window = WaitGraph.update { $0.openScope(from: nil) }
        do {
            let mailbox = Mailbox<Int> { _ in }
            mailbox.put(Queued(1, scope: WaitGraph.enter(window, mailbox: ObjectIdentifier(mailbox))))
        }
        WaitGraph.update { $0.close(window) }
        let outcome = await outcome(of: window)
        #expect(outcome.discardedCalls == 1)
        #expect(outcome.isComplete)
    }

    @Test func `a negative limit is a programmer's error`() async {
        await #expect(processExitsWith: .failure) { _ = Mailbox<Int>(buffering: .latest(-1)) { _ in } }
        await #expect(processExitsWith: .failure) { _ = Mailbox<Int>(buffering: .oldest(-1)) { _ in } }
    }
}
