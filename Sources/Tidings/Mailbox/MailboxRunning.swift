// A *turn* is one call of a `run` method, on the actor or queue of the observer. The method takes a batch of elements
// out of the mailbox under the lock, and calls the observer with each of them after the unlock.

extension Mailbox {
    /// The maximum number of calls in a turn, so that other work can run.
    @export(implementation) static var callsInTurn: Int { 256 }

    /// A turn with at least this number of calls counts as a burst.
    @export(implementation) static var callsInBurst: Int { 8 }

    /// Takes a turn with a closure that can't be suspended. Returns whether to call this method again after other work
    /// has run. If the result is `false`, no element can be handled now. When an element is queued or a retry is due,
    /// the mailbox calls its ``Runner``, which schedules further calls of this method. `respond` is called with an
    /// error before the observer's call counts as ended.
    @export(implementation)
    package func run(onFailure respond: ((any Error) -> Void)?, _ observer: (Element) throws -> Void) -> Bool {
        turn { next, call in
            guard next.isPlain, !isMonitored else {
                return !perform(next, call, onFailure: respond) { try observer(next.element) }.endsTurn
            }
            do {
                try observer(next.element)
                return true
            } catch {
                return !end(next, throwing: error, onFailure: respond).endsTurn
            }
        }
    }

    /// Takes a turn. Returns whether the runner has to continue. `handle` makes a call, and returns `false` to end the
    /// turn.
    @inline(__always)
    @export(implementation)
    func turn(_ handle: (Queued<Element>, Call) -> Bool) -> Bool {
        var batch = Batch()
        let inHand = inHand
        let call = Call(of: self, canWait: false)
        guard begin(call, with: &batch) else { return false }
        CallContext.perform(call) {
            var remaining = Self.callsInTurn
            // Whether elements arrived while the last batch was handled, as in a burst.
            var isFilling = false
            while remaining > 0, !isCancelled, let next = batch.popFirst() {
                inHand.note(batch.count)
                call.begins()
                if !handle(next, call) { break }
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

    /// Takes a turn with a closure that can be suspended. The turn runs in the closure's isolation, so that there is
    /// one hop to the actor per turn. See ``SuspendableTurn``.
    @export(implementation)
    func run(
        isolation: isolated (any Actor)?, onFailure respond: ((any Error) -> Void)?,
        makingCalls makeCalls: (inout SuspendableTurn<Element>) async -> Void
    ) async -> Bool {
        var turn = SuspendableTurn(of: self, onFailure: respond)
        guard begin(turn.call, at: &turn.pace, with: &turn.batch) else { return false }
        await CallContext.perform(turn.call, isolation: isolation) {
            _ = isolation
            await makeCalls(&turn)
        }
        turn.call.end()
        return end(returning: &turn.batch, at: turn.pace)
    }

    /// Takes a turn like `run(isolation:onFailure:makingCalls:)`, for a mailbox in which no code waits for the end of a
    /// single call.
    @export(implementation)
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
            if next.isPlain, !isMonitored {
                do {
                    try await observer(next.element)
                } catch {
                    if end(next, throwing: error, onFailure: respond).endsTurn { break }
                }
            } else {
                let end = await perform(next, nil, isolation: isolation, onFailure: respond) {
                    try await observer(next.element)
                }
                if end.endsTurn { break }
            }
            remaining -= 1
        }
        return end(returning: &batch)
    }
}

extension Mailbox {
    /// Waits for two microseconds, during which a burst fills the mailbox. Without the wait, a fast observer contends
    /// with the posting thread for the lock, or makes that thread start a task, for each element. A burst then takes
    /// 50 % longer. A turn waits only in a burst: after a few calls, if the turn has just found more elements.
    @usableFromInline
    func letFill() {
        let end = Pace.now + 2_000
        while Pace.now < end {}
    }

    @export(implementation)
    func perform(
        _ queued: Queued<Element>, _ call: Call, onFailure respond: ((any Error) -> Void)?, _ body: () throws -> Void
    ) -> CallEnd {
        let traced = traced(queued)
        func makeCall() -> CallEnd {
            do {
                try body()
                return .handled
            } catch {
                return self.end(queued, traced, throwing: error, onFailure: respond)
            }
        }
        if let traced { return performTraced(traced, call, makeCall) }
        if case .delivery(let scope) = queued.mark { return CallContext.perform(call, in: scope, makeCall) }
        return makeCall()
    }

    /// Makes a call of the observer. `call` is `nil` if nothing can wait for the end of this call. The function is
    /// inlined, because an asynchronous function call would take longer than reporting to a monitor.
    @inline(__always)
    @export(implementation)
    func perform(
        _ queued: Queued<Element>, _ call: Call?, isolation: isolated (any Actor)?,
        onFailure respond: ((any Error) -> Void)?, _ body: () async throws -> Void
    ) async -> CallEnd {
        let traced = traced(queued)
        guard let traced, let began = traced.begin(isolation: isolation) else {
            return await perform(queued, traced, call, isolation: isolation, onFailure: respond, body)
        }
        var end = CallEnd.handled
        await MonitoredTask.local.withValue(traced.trace.task) {
            // A closure inherits the isolation of its context only if it captures the `isolated` parameter.
            _ = isolation
            do {
                try await body()
            } catch {
                end = self.end(queued, traced, throwing: error, onFailure: respond)
            }
        }
        traced.trace.end(toldBy: traced.teller, isolation: isolation, began, end.error, waiting: waitingCount)
        return end
    }

    @export(implementation)
    func perform(
        _ queued: Queued<Element>, _ traced: TracedCall?, _ call: Call?, isolation: isolated (any Actor)?,
        onFailure respond: ((any Error) -> Void)?, _ body: () async throws -> Void
    ) async -> CallEnd {
        // `traced` is unwrapped here, because an asynchronous closure copies a captured optional as a value of unknown
        // type.
        guard let traced else {
            return await performUntraced(queued, call, isolation: isolation, onFailure: respond, body)
        }
        return await performTraced(traced, call, isolation: isolation) {
            do {
                try await body()
                return .handled
            } catch {
                return self.end(queued, traced, throwing: error, onFailure: respond)
            }
        }
    }

    @export(implementation)
    func performUntraced(
        _ queued: Queued<Element>, _ call: Call?, isolation: isolated (any Actor)?,
        onFailure respond: ((any Error) -> Void)?, _ body: () async throws -> Void
    ) async -> CallEnd {
        nonisolated(nonsending) func makeCall() async -> CallEnd {
            do {
                try await body()
                return .handled
            } catch {
                return end(queued, throwing: error, onFailure: respond)
            }
        }
        guard case .delivery(let scope) = queued.mark, let call else { return await makeCall() }
        return await CallContext.perform(call, in: scope, isolation: isolation) { await makeCall() }
    }
}
