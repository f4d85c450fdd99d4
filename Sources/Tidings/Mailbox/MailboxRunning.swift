// A runner takes turns: it calls one of these methods, where the observer runs, until that returns false. A turn is one call of
// such a method, and nothing else is called so. It takes a batch of elements out of the mailbox under the lock and calls the
// observer with each of them without it.

extension Mailbox {
    @usableFromInline typealias Batch = MailboxState<Element>.Queue

    /// How many calls a turn makes at most, before others may run.
    @inlinable static var callsInTurn: Int { 256 }

    /// How many calls of a turn make a burst.
    @inlinable static var callsInBurst: Int { 8 }

    /// Calls a closure that cannot be suspended with what waits, one element at a time, for a turn.
    ///
    /// - Parameter observer: The closure.
    /// - Returns: Whether to call this method again, when others have had their turn; false if nothing waits. Then the runner
    ///   is called again when that changes.
    @inlinable
    package func run(_ observer: (Element) -> Void) -> Bool {
        var batch = Batch()
        let inHand = inHand
        let call = Call(of: self, canWait: false)
        guard begin(call, with: &batch) else { return false }
        CallContext.perform(call) {
            var remaining = Self.callsInTurn
            // Whether more arrived while the last batch was handled, as in a burst that is under way.
            var isFilling = false
            while remaining > 0, !isCancelled, let next = batch.popFirst() {
                inHand.note(batch.count)
                if next.isPlain { observer(next.element) } else { perform(next, call, observer) }
                remaining -= 1
                if !batch.isEmpty || remaining == 0 { continue }
                if isFilling, Self.callsInTurn - remaining >= Self.callsInBurst { letFill() }
                refill(&batch)
                isFilling = !batch.isEmpty && policy == .unbounded
            }
        }
        call.end()
        return end(returning: &batch)
    }

    /// Calls a closure that may be suspended with what waits, one element at a time, for a turn.
    ///
    /// The rest of a batch is given back before each call, so that a cancel discards it although the call goes on. Each call is
    /// one of its own, for which a drain or a delivery can wait.
    ///
    /// - Parameters:
    ///   - isolation: The closure's isolation, so that a turn costs one hop.
    ///   - calls: How many calls the turn makes at most.
    ///   - respond: Called with the error of a call that threw one, before the call counts as ended.
    ///   - observer: The closure.
    /// - Returns: Whether to call this method again, when others have had their turn.
    @inlinable
    package func run(
        isolation: isolated (any Actor)?, atMost calls: Int = callsInTurn,
        onFailure respond: ((any Error) -> Void)? = nil, _ observer: (Element) async throws -> Void
    ) async -> Bool {
        var batch = Batch()
        for _ in 0..<calls {
            let call = Call(of: self, canWait: true)
            guard begin(call, isSingle: true, with: &batch) else { return false }
            if let next = batch.popFirst() {
                giveBack(&batch)
                await perform(next, call, isolation: isolation) {
                    do {
                        try await observer(next.element)
                        return nil
                    } catch {
                        respond?(error)
                        return error
                    }
                }
            }
            call.end()
            if !end(returning: &batch) { return false }
        }
        return true
    }

    /// Calls a closure that may be suspended with what waits, one element at a time, for a turn, where nothing waits for single
    /// calls.
    ///
    /// - Parameters:
    ///   - isolation: Where the closure runs, so that a turn costs one hop.
    ///   - respond: Called with the error of a call that threw one.
    ///   - observer: The closure.
    /// - Returns: Whether to call this method again, when others have had their turn.
    @inlinable
    func runUnwaited(
        isolation: isolated (any Actor)?, onFailure respond: (@Sendable (any Error) -> Void)?,
        _ observer: @Sendable (Element) async throws -> Void
    ) async -> Bool {
        var batch = Batch()
        guard begin(nil, with: &batch) else { return false }
        let inHand = inHand
        var remaining = Self.callsInTurn
        while remaining > 0, !isCancelled, let next = batch.popFirst() {
            inHand.note(batch.count)
            do {
                if next.isPlain {
                    try await observer(next.element)
                } else {
                    await perform(next, nil, isolation: isolation) {
                        do {
                            try await observer(next.element)
                            return nil
                        } catch {
                            respond?(error)
                            return error
                        }
                    }
                }
            } catch {
                respond?(error)
                tell(error)
            }
            remaining -= 1
        }
        return end(returning: &batch)
    }
}

// MARK: The steps of a turn

extension Mailbox {
    /// Moves what is to be handled next into an empty batch, and notes the call that handles it.
    ///
    /// - Returns: Whether there was anything.
    @inlinable
    func begin(_ call: Call?, isSingle: Bool = false, with batch: inout Batch) -> Bool {
        let action = state.withLock { state in
            let action = state.begin(call, isSingle: isSingle, with: &batch)
            if !batch.isEmpty { inHand.note(batch.count) }
            return action
        }
        switch action {
        case .handle(let handled):
            resume(handled)
            return true
        case .rest(let handled, let released):
            resume(handled)
            _ = released
            return false
        }
    }

    /// Moves what is to be handled next into an empty batch, during a turn.
    @inlinable
    func refill(_ batch: inout Batch) {
        // A new one: the mailbox gets the old arrays in exchange, and would keep the room that a burst needed.
        batch = Batch()
        state.withLock { state in
            state.take(into: &batch)
            inHand.note(batch.count)
        }
    }

    /// Gives back what was taken and not handled, during a call.
    @inlinable
    func giveBack(_ rest: inout Batch) {
        if rest.isEmpty { return inHand.note(0) }
        let action = state.withLock { state in
            inHand.note(0)
            return state.giveBack(&rest)
        }
        if case .discard(let discarded) = action { discard(discarded) }
    }

    /// Gives back what was not handled, and ends the turn.
    ///
    /// - Returns: Whether anything waits, so that the runner has to go on.
    @inlinable
    @discardableResult
    func end(returning rest: inout Batch) -> Bool {
        let (giveBack, end) = state.withLock { state in
            inHand.note(0)
            return (state.giveBack(&rest), state.end())
        }
        if case .discard(let discarded) = giveBack { discard(discarded) }
        for continuation in end.waiting { continuation.resume() }
        resume(end.handled)
        return !end.rests
    }

    /// Waits for two microseconds, in which a burst that is under way fills the mailbox.
    ///
    /// Without that, an observer that is faster than the posting thread meets it at the lock for each element, or has it start a
    /// task for each: a burst takes half as long again. Where few elements arrive at a time the wait would be lost, so a turn
    /// waits only after a few calls, and if it has just met more elements.
    @usableFromInline
    func letFill() {
        let end = SuspendingClock.now + .microseconds(2)
        while SuspendingClock.now < end {}
    }

    /// Calls an observer with an element that has a mark.
    @usableFromInline
    func perform(_ queued: Queued<Element>, _ call: Call, _ observer: (Element) -> Void) {
        switch queued.mark {
        case .none: observer(queued.element)
        case .delivery(let scope): CallContext.perform(call, in: scope) { observer(queued.element) }
        case .trace(let slot): performTraced(slot, call) { observer(queued.element) }
        }
    }

    /// Calls an observer that may be suspended, and that may fail.
    ///
    /// - Parameters:
    ///   - queued: The element.
    ///   - call: The call, if anything can wait for it.
    ///   - isolation: Where the call is made.
    ///   - body: Makes the call, and returns its error.
    @usableFromInline
    func perform(
        _ queued: Queued<Element>, _ call: Call?, isolation: isolated (any Actor)?, _ body: () async -> (any Error)?
    ) async {
        nonisolated(nonsending) func toldBody() async -> (any Error)? {
            let error = await body()
            if let error { tell(error) }
            return error
        }
        switch (queued.mark, call) {
        case (.trace(let slot), _): await performTraced(slot, call, isolation: isolation, body)
        case (.delivery(let scope), let call?):
            await CallContext.perform(call, in: scope, isolation: isolation) { await toldBody() }
        case (.none, let call?):
            await CallContext.perform(call, in: .none, isolation: isolation) { await toldBody() }
        case (_, nil): _ = await toldBody()
        }
    }
}

// MARK: Draining

extension Mailbox {
    /// Returns when no call of the observer is running that was running when this was called.
    ///
    /// Called from inside that call, or from a task that inherits from it, this returns at once; and so it does if the wait
    /// would close a cycle, as that call waits for the caller.
    @usableFromInline
    package func drain() async {
        let caller = CallContext.current?.call
        guard let running = state.withLock({ $0.call }), running !== caller else { return }
        let node = WaitGraph.Node.mailbox(ObjectIdentifier(self))
        if let caller, !WaitGraph.update({ $0.beginDrain(caller, of: node) }) { return }
        await waitForEnd(of: running)
        if let caller { WaitGraph.update { $0.endWait(caller, for: node) } }
    }

    /// Returns when a call has ended, which it may have done a moment ago.
    func waitForEnd(of running: Call) async {
        await waitForEnd { $0.call === running }
    }

    /// Returns when the turn that is under way has ended, if there is one.
    @usableFromInline
    func waitForEndOfTurn() async {
        await waitForEnd { $0.isRunning }
    }

    private func waitForEnd(_ isRunning: @Sendable (borrowing MailboxState<Element>) -> Bool) async {
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                let mustWait = isRunning(state)
                if mustWait { state.waiting.append(continuation) }
                return mustWait
            }
            if !mustWait { continuation.resume() }
        }
    }
}
