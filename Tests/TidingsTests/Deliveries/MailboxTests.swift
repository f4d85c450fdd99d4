import TestSupport
import Testing
import TidingsTesting

@testable import Tidings

@Suite(.timeLimit(.minutes(2))) struct MailboxTests {
    @Test func `after a burst was handled, the queue releases the additional capacity`() {
        let mailbox = Mailbox<Int> { _ in }
        for number in 0..<10_000 { mailbox.put(number) }
        while mailbox.run(onFailure: nil, { _ in }) {}
        let room = mailbox.state.withLock { $0.queue.incoming.capacity + $0.queue.outgoing.capacity }
        #expect(room < 100)
    }

    @Test(arguments: [BufferingPolicy.unbounded, .oldest(3), .latest(3)], Moment.allCases)
    func `if a mailbox is cancelled right before or after a turn ends, unhandled elements count as discarded`(
        policy: BufferingPolicy, moment: Moment
    ) async {
        let mailbox = Mailbox<Int>(buffering: policy) { _ in }
        let window = WaitGraph.update { $0.openScope(from: nil) }
        for number in 0..<3 {
            let scope = WaitGraph.enter(window, mailbox: ObjectIdentifier(mailbox))
            mailbox.put(number, in: scope)
        }
        WaitGraph.update { $0.close(window) }
        let call = Call(of: mailbox, canWait: false)
        var batch = Mailbox<Int>.Batch()
        #expect(mailbox.begin(call, with: &batch))
        call.end()
        // Simulates that another thread cancels the mailbox before or after the step that ends the turn.
        if moment == .before { mailbox.cancel() }
        mailbox.end(returning: &batch)
        if moment == .after { mailbox.cancel() }
        #expect(batch.isEmpty)
        let outcome = await outcome(of: window)
        #expect(outcome.discardedCalls == 3)
        #expect(outcome.isComplete)
    }

    /// The moment of the cancellation. A turn calls the observer for elements that are queued in its mailbox.
    enum Moment: CaseIterable {
        /// The mailbox is already cancelled when the turn ends, so the mailbox doesn't take back unhandled elements.
        case before
        /// The turn has given back the unhandled elements, and the cancellation discards them.
        case after
    }

    /// Returns a receipt for the calls that have ended so far. The method doesn't wait for all calls, because that wait
    /// would never end if a call were lost.
    private func outcome(of window: DeliveryWindow) async -> DeliveryReceipt {
        WaitGraph.update { $0.abandon(window.scope) }
        return await withCheckedContinuation { continuation in
            let waiter = ScopeState.Waiter(observers: 0, call: nil) { continuation.resume(returning: $0) }
            WaitGraph.update { $0.wait(window.scope, waiter) }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `waiting for a call that has ended returns at once, even while the next call runs`() async {
        let mailbox = Mailbox<Int> { _ in }
        var batch = Mailbox<Int>.Batch()
        for number in 0..<2 {
            mailbox.put(number)
            let call = Call(of: mailbox, canWait: true)
            #expect(mailbox.begin(call, with: &batch))
            _ = batch.popFirst()
            async let ended: Void = mailbox.waitForEnd(of: call)
            if number == 0 { await Task.yield() }
            call.end()
            mailbox.end(returning: &batch)
            await ended
            mailbox.put(2)
            let next = Call(of: mailbox, canWait: true)
            #expect(mailbox.begin(next, with: &batch))
            await mailbox.waitForEnd(of: call)
            _ = batch.popFirst()
            next.end()
            mailbox.end(returning: &batch)
        }
    }

    @Test func `elements in a mailbox that is deallocated count as discarded`() async {
        let window = WaitGraph.update { $0.openScope(from: nil) }
        do {
            let mailbox = Mailbox<Int> { _ in }
            mailbox.put(1, in: WaitGraph.enter(window, mailbox: ObjectIdentifier(mailbox)))
        }
        WaitGraph.update { $0.close(window) }
        let outcome = await outcome(of: window)
        #expect(outcome.discardedCalls == 1)
        #expect(outcome.isComplete)
    }

    @Test(.timeLimit(.minutes(2)))
    func `promise 5, cancel: elements queued behind a suspended call are discarded before the call ends`() async {
        let (begun, go, mailbox) = (Gate(), Gate(), Mailbox<Int> { _ in })
        let window = WaitGraph.update { $0.openScope(from: nil) }
        for number in 0..<3 { mailbox.put(number, in: WaitGraph.enter(window, mailbox: ObjectIdentifier(mailbox))) }
        WaitGraph.update { $0.close(window) }
        async let turn = mailbox.run(isolation: nil, onFailure: nil) { @Sendable turn in
            while let next = turn.next() {
                await turn.perform(next, isolation: nil) {
                    begun.open()
                    await go.wait()
                }
                if !turn.goesOn() { break }
            }
        }
        await begun.wait()
        #expect(mailbox.status.queued == 2)
        mailbox.cancel()
        #expect(mailbox.status.queued == 0)
        #expect(await outcome(of: window).discardedCalls == 2)
        go.open()
        #expect(await turn == false)
    }

    @Test func `the status of a running call is the same before and after other elements are dropped`() {
        let mailbox = Mailbox<Int>(buffering: .latest(1)) { _ in }
        for number in 1...2 { mailbox.put(number) }
        var called: [Int] = []
        _ = mailbox.run(onFailure: nil) { number in
            for later in 0...2 {
                if later > 0, number < 6 { mailbox.put(number + later) }
                let calls = mailbox.status.calls
                #expect(calls.lastNumber == number && calls.isOneCall == (number == 2))
            }
            called.append(number)
        }
        #expect(called == [2, 4, 6])
    }

    @Test func `the status of a closure that can suspend counts each call once`() async {
        let mailbox = Mailbox<Int> { _ in }
        for number in 1...3 { mailbox.put(number) }
        let begun = ReceivedValues<Int>()
        var goesOn = true
        while goesOn {
            goesOn = await mailbox.run(isolation: nil, onFailure: nil) { @Sendable turn in
                while let next = turn.next() {
                    await turn.perform(next, isolation: nil) { begun.append(mailbox.status.calls.begun) }
                    if !turn.goesOn() { break }
                }
            }
        }
        #expect(begun.values == [1, 2, 3])
    }

    @Test func `calls that throw and are retried later don't count as one long call`() {
        struct Refused: Error {}
        let plan = RetryPlan(delays: [.seconds(1)], keepsOrder: false, clock: ManualClock())
        let mailbox = Mailbox<Int>(retrying: plan) { _ in }
        for number in 1...3 { mailbox.put(number) }
        var calls: [CallStatus] = []
        _ = mailbox.run(onFailure: nil) { _ in
            calls.append(mailbox.status.calls)
            throw Refused()
        }
        #expect(calls.map(\.isOneCall) == [true, false, false])
        #expect(calls.map(\.begun) == [1, 2, 3] && calls.map(\.lastNumber) == [1, 2, 3])
        mailbox.cancel()
    }

    @Test func `a queue of two stacks keeps its elements in order, even if they move to another queue and back`() {
        var (queue, batch) = (TwoStackQueue<Int>(), TwoStackQueue<Int>())
        var (arrived, left) = (0, 0)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                queue.append(arrived)
                arrived += 1
            }
            queue.moveStack(to: &batch)
            #expect(batch.isEmpty == (arrived == left))
            for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                guard let next = batch.popFirst() else { break }
                #expect(next == left)
                left += 1
            }
            queue.takeBack(&batch)
            #expect(batch.isEmpty)
            #expect(queue.count == arrived - left)
        }
        while let next = queue.popFirst() {
            #expect(next == left)
            left += 1
        }
        #expect(left == arrived)
    }

    @Test func `a buffering policy with a negative limit stops the program`() async {
        await #expect(processExitsWith: .failure) { _ = Mailbox<Int>(buffering: .latest(-1)) { _ in } }
        await #expect(processExitsWith: .failure) { _ = Mailbox<Int>(buffering: .oldest(-1)) { _ in } }
    }
}
