extension Mailbox {
    @usableFromInline typealias Batch = MailboxState<Element>.Queue

    /// Begins a turn, a series of calls. Moves elements into the empty batch; returns `false` if there are none.
    @export(implementation)
    func begin(_ call: Call?, with batch: inout Batch) -> Bool {
        let action = state.withLock { state in
            let action = state.begin(call, isSingle: false, with: &batch)
            if !batch.isEmpty { noteTaken(batch.count, in: &state) }
            return action
        }
        // The consumer of a sequence never ends a turn, so the recovery of its queue is reported here.
        if reporting.load(ordering: .relaxed) == .recovery { tellIfRecovered() }
        return perform(action)
    }

    @inline(__always)
    @export(implementation)
    func noteTaken(_ count: Int, in state: inout MailboxState<Element>) {
        inHand.note(count)
        state.lengths.taken = count
        state.progress.taken += count
        if count > 0 { state.progress.droppedSinceTaken = 0 }
    }

    /// Like `begin(_:with:)`, for a call that can be suspended.
    @export(implementation)
    func begin(_ call: Call, at pace: inout Pace, with batch: inout Batch) -> Bool {
        let action = state.withLock { state in
            pace = Pace(like: state.pace, isAwaited: state.isAwaited)
            let action = state.begin(call, isSingle: pace.holdsNothing, with: &batch)
            if !batch.isEmpty { noteTaken(batch.count, in: &state) }
            return action
        }
        pace.begin()
        return perform(action)
    }

    @export(implementation)
    func perform(_ action: MailboxState<Element>.TakeAction) -> Bool {
        resume(action.handled)
        return !action.isIdle
    }

    @export(implementation)
    func refill(_ batch: inout Batch) {
        // `take` exchanges the arrays of the batch and the queue. With a new batch, the queue gets no unused capacity.
        batch = Batch()
        let admitted = state.withLock { state in
            state.take(into: &batch)
            noteTaken(batch.count, in: &state)
            return state.room == nil ? [] : state.admit()
        }
        resume(admitted)
    }

    @export(implementation)
    func refill(_ batch: inout Batch, at pace: inout Pace) {
        batch = Batch()
        let admitted = state.withLock { state in
            pace.isAwaited = state.isAwaited
            state.take(into: &batch)
            noteTaken(batch.count, in: &state)
            return state.room == nil ? [] : state.admit()
        }
        resume(admitted)
    }

    @export(implementation)
    func giveBack(_ rest: inout Batch) {
        if rest.isEmpty { return inHand.note(0) }
        let action = state.withLock { state in
            noteTaken(0, in: &state)
            return state.giveBack(&rest)
        }
        if let action { discard(action) }
    }

    /// Ends the turn. Returns whether the runner has to continue.
    @export(implementation)
    @discardableResult
    func end(returning rest: inout Batch, at pace: Pace? = nil) -> Bool {
        let (giveBack, end) = state.withLock { state in
            noteTaken(0, in: &state)
            if let pace { state.pace = pace }
            return (state.giveBack(&rest), state.end())
        }
        if let giveBack { discard(giveBack) }
        for continuation in end.waiting { continuation.resume() }
        if reporting.load(ordering: .relaxed) == .recovery { tellIfRecovered() }
        resume(end.handled)
        return !end.isIdle
    }
}

extension MailboxState {
    // The actions are tuples, because the metadata of structs would be part of every program.

    /// `handled` contains the closures to call for elements that have been handled. If `isIdle`, no turn follows until
    /// a put or the timer of a retry calls the runner. `released` is the runner of a mailbox that has ended.
    @usableFromInline
    typealias TakeAction = (handled: [Handling], isIdle: Bool, released: Runner?)

    /// Begins a turn. If `isSingle`, the caller makes one call and gives back the rest. A stack that has to be reversed
    /// is moved as a whole, so that the linear-time reversal is made after the unlock.
    @export(implementation)
    mutating func begin(_ call: Call?, isSingle: Bool, with batch: inout Queue) -> TakeAction {
        // The consumer of a sequence never ends a turn, so closures may still wait for elements that it has handled.
        var handled = takeHandled()
        if retries != nil {
            takeAgain(into: &batch)
        } else if isSingle, let next = queue.outgoing.popLast() {
            batch.outgoing.append(next)
        } else {
            take(into: &batch)
        }
        if room != nil { handled += admit() }
        if batch.isEmpty { return (handled, isIdle: true, released: becomeIdle()) }
        self.call = call
        isRunning = true
        progress.turnBegan = CallProgress.now
        progress.takenBefore = progress.taken
        return (handled, isIdle: false, released: nil)
    }

    /// Moves elements into the batch, which has to be empty. If the queue has a limit, moves only one element, because
    /// elements in the batch don't count towards the limit.
    @export(implementation)
    mutating func take(into batch: inout Queue) {
        if retries != nil { return takeAgain(into: &batch) }
        if policy == .unbounded { return queue.moveStack(to: &batch) }
        if let next = queue.popFirst() { batch.append(next) }
    }

    /// Puts elements back. If the mailbox is cancelled, returns the elements, which the caller has to discard.
    @export(implementation)
    mutating func giveBack(_ rest: inout Queue) -> Queue? {
        if rest.isEmpty { return nil }
        progress.taken -= rest.count
        if phase != .cancelled {
            if retries == nil || !giveBackRetry(&rest) { queue.takeBack(&rest) }
            return nil
        }
        var discarded = Queue()
        swap(&discarded, &rest)
        return discarded
    }

    @usableFromInline
    typealias EndAction = (
        waiting: [CheckedContinuation<Void, Never>], handled: [Handling], isIdle: Bool, released: Runner?
    )

    /// Ends a turn. If nothing can be handled, no turn follows: an empty turn would often wake a thread for nothing.
    @export(implementation)
    mutating func end() -> EndAction {
        call = nil
        // From this time on, queued elements wait for the next turn.
        let now = CallProgress.now
        if isRunning { progress.busy += now - progress.turnBegan }
        progress.scheduledAt = now
        isRunning = false
        let ended = waiting
        waiting = []
        let isIdle = retries == nil ? queue.isEmpty : !canGoOn
        var handled = takeHandled()
        if room != nil { handled += admit() }
        return (waiting: ended, handled: handled, isIdle: isIdle, released: isIdle ? becomeIdle() : nil)
    }

    /// Makes the mailbox idle, unless a retry blocks the queue. Returns the runner of an ended mailbox, to be released.
    @export(implementation)
    mutating func becomeIdle() -> Runner? {
        isRunning = false
        if retries != nil, pause() { return nil }
        isScheduled = false
        return phase == .open || retryingCount > 0 ? nil : runner.take()
    }
}

/// The number of elements that a turn has taken out and not begun to handle. The turn writes it for each element, and
/// other threads read it without the lock. Padding keeps it out of the cache lines that posting threads write.
@usableFromInline
final class InHand: Sendable {
    private let before: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)
    @usableFromInline let number = Atomic(0)
    private let after: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)

    @usableFromInline
    init() {}

    /// The access is relaxed, because threads other than the turn's only report the number.
    @export(implementation) var count: Int { number.load(ordering: .relaxed) }

    @export(implementation)
    func note(_ count: Int) { number.store(count, ordering: .relaxed) }
}
