// A runner takes turns: it calls one of these methods, where the observer runs, until that returns false. A turn is one call of
// such a method, and nothing else is called so. It takes a batch of elements out of the mailbox under the lock and calls the
// observer with each of them when the lock is free.

extension Mailbox {
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
        turn { next, call in if next.isPlain { observer(next.element) } else { perform(next, call, observer) } }
    }

    /// Calls a closure that cannot be suspended, and that may fail, with what waits, one element at a time, for a turn.
    ///
    /// - Parameters:
    ///   - respond: Called with the error of a call that threw one, before the call counts as ended.
    ///   - observer: The closure.
    /// - Returns: Whether to call this method again, when others have had their turn.
    @inlinable
    package func run(onFailure respond: ((any Error) -> Void)?, _ observer: (Element) throws -> Void) -> Bool {
        turn { next, call in
            guard next.isPlain else { return perform(next, call, onFailure: respond) { try observer(next.element) } }
            do {
                try observer(next.element)
            } catch {
                respond?(error)
                tell(error)
            }
        }
    }

    /// Makes the calls of a turn that cannot be suspended.
    ///
    /// - Parameter handle: Makes one of them.
    /// - Returns: Whether anything waits.
    @inline(__always)
    @inlinable
    func turn(_ handle: (Queued<Element>, Call) -> Void) -> Bool {
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
                handle(next, call)
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
                await perform(next, call, isolation: isolation, onFailure: respond) { try await observer(next.element) }
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
            if next.isPlain {
                do {
                    try await observer(next.element)
                } catch {
                    respond?(error)
                    tell(error)
                }
            } else {
                await perform(next, nil, isolation: isolation, onFailure: respond) { try await observer(next.element) }
            }
            remaining -= 1
        }
        return end(returning: &batch)
    }
}

// MARK: One call

extension Mailbox {
    /// Waits for two microseconds, in which a burst that is under way fills the mailbox.
    ///
    /// Without that, an observer that is faster than the posting thread contends with it for the lock at each element, or has it
    /// start a task for each: a burst takes half as long again. Where few elements arrive at a time the wait would gain nothing,
    /// so a turn waits only after a few calls, and if it has just found more elements.
    @usableFromInline
    func letFill() {
        let end = SuspendingClock.now + .microseconds(2)
        while SuspendingClock.now < end {}
    }

    /// Calls an observer with an element that has a mark.
    @inlinable
    func perform(_ queued: Queued<Element>, _ call: Call, _ observer: (Element) -> Void) {
        switch queued.mark {
        case .none: observer(queued.element)
        case .delivery(let scope):
            CallContext.perform(call, in: scope) {
                observer(queued.element)
                return nil
            }
        case .trace(let slot):
            performTraced(slot, call) {
                observer(queued.element)
                return nil
            }
        }
    }

    /// Calls an observer that cannot be suspended, and that may fail.
    ///
    /// - Parameters:
    ///   - queued: The element.
    ///   - call: The call of the turn.
    ///   - respond: Called with an error that the call threw, before the call counts as ended.
    ///   - body: Makes the call.
    @usableFromInline
    func perform(
        _ queued: Queued<Element>, _ call: Call, onFailure respond: ((any Error) -> Void)?, _ body: () throws -> Void
    ) {
        func error(isTold: Bool) -> (any Error)? {
            do {
                try body()
                return nil
            } catch {
                respond?(error)
                if !isTold { tell(error) }
                return error
            }
        }
        switch queued.mark {
        case .none: _ = error(isTold: false)
        case .delivery(let scope): CallContext.perform(call, in: scope) { error(isTold: false) }
        case .trace(let slot): performTraced(slot, call) { error(isTold: true) }
        }
    }

    /// Calls an observer that may be suspended, and that may fail.
    ///
    /// - Parameters:
    ///   - queued: The element.
    ///   - call: The call, if anything can wait for it.
    ///   - isolation: Where the call is made.
    ///   - respond: Called with an error that the call threw, before the call counts as ended.
    ///   - body: Makes the call.
    @inlinable
    func perform(
        _ queued: Queued<Element>, _ call: Call?, isolation: isolated (any Actor)?,
        onFailure respond: ((any Error) -> Void)?, _ body: () async throws -> Void
    ) async {
        nonisolated(nonsending) func error(isTold: Bool) async -> (any Error)? {
            do {
                try await body()
                return nil
            } catch {
                respond?(error)
                if !isTold { tell(error) }
                return error
            }
        }
        switch (queued.mark, call) {
        case (.trace(let slot), _):
            await performTraced(slot, call, isolation: isolation) { await error(isTold: true) }
        case (.delivery(let scope), let call?):
            await CallContext.perform(call, in: scope, isolation: isolation) { await error(isTold: false) }
        case (.none, let call?):
            await CallContext.perform(call, in: .none, isolation: isolation) { await error(isTold: false) }
        case (_, nil): _ = await error(isTold: false)
        }
    }
}
