extension Mailbox {
    /// How many calls are made in a row before others may run.
    @inlinable static var turn: Int { 256 }

    /// Waits for two microseconds, in which a burst that is under way fills the mailbox.
    ///
    /// Without that, an observer that is faster than who posts meets it at the lock for each element, or has it start a task
    /// for each: a burst takes three times as long.
    @usableFromInline
    func letFill() {
        let end = SuspendingClock.now + .microseconds(2)
        while SuspendingClock.now < end {}
    }

    /// Calls a closure that cannot be suspended with what is queued, one at a time, for a turn.
    ///
    /// - Parameter observer: The closure.
    /// - Returns: Whether to call this method again, when others have had their turn; false if nothing was queued. Then the
    ///   runner is told when that changes.
    @inlinable
    package func run(_ observer: (Element) -> Void) -> Bool {
        var batch = Batch<Queued<Element>>()
        let inHand = inHand
        let call = Call(of: self, canWait: false)
        guard begin(call, with: &batch) else { return false }
        CallContext.perform(call) {
            var remaining = Self.turn
            var taken = batch.count
            while remaining > 0, !isCancelled, let next = batch.next() {
                inHand.note(batch.count)
                if next.isPlain { observer(next.element) } else { perform(next, call, observer) }
                remaining -= 1
                if !batch.isEmpty || remaining == 0 { continue }
                if taken > 1 { letFill() }
                refill(&batch)
                taken = batch.count
            }
        }
        end(call, returning: &batch)
        return true
    }

    /// Calls a closure that may be suspended with what is queued, one at a time, for a turn.
    ///
    /// - Parameters:
    ///   - isolation: The closure's isolation, so that a turn costs one hop.
    ///   - held: Takes hold of the closure, once the turn is where it belongs; `nil` if it was released.
    /// - Returns: Whether to call this method again, when others have had their turn.
    @inlinable
    package func run(
        isolation: isolated (any Actor)?,
        _ held: @Sendable () -> (@isolated(any) @Sendable (Element) async -> Void)?
    ) async -> Bool {
        guard let observer = held() else { return false }
        var batch = Batch<Queued<Element>>()
        let inHand = inHand
        for _ in 0..<Self.turn {
            let call = Call(of: self, canWait: true)
            guard begin(call, with: &batch) else { return false }
            if let next = batch.next() {
                inHand.note(batch.count)
                if next.isTraced {
                    await performTraced(next, call, isolation: isolation, observer)
                } else {
                    await CallContext.perform(call, in: next.scope, isolation: isolation) {
                        await observer(next.element)
                    }
                }
            }
            end(call, returning: &batch)
        }
        return true
    }

    /// Starts a task that takes turns until nothing is queued. It inherits the priority of the task that posts, and nothing
    /// else.
    ///
    /// - Parameter turn: Calls one of the `run` methods where the observer belongs.
    @inlinable
    package func takeTurns(_ turn: @escaping @Sendable () async -> Bool) {
        Task.detached(priority: Task.currentPriority) {
            while await turn() { await Task.yield() }
        }
    }
}

extension Ownership {
    /// Ends the observation, and with it the turns of an observer that finds its owner dead.
    @usableFromInline
    func endsTurns() -> Bool {
        end()
        return false
    }
}
