/// A turn with a closure that can be suspended. Most such closures return at once, so their calls share a turn; see
/// ``Pace``. The first call is assumed to be slow. A slow call has its own turn: before the call, the rest of the batch
/// is given back, so that a cancel can discard it. After the call, the turn ends, so that an owner can be deallocated.
///
/// The loop that makes the calls is in a closure that is created where the observer is registered. So the compiler
/// optimizes the loop and the observer's closure together, and a call that returns at once needs no asynchronous frame
/// and, inside an actor, no hop.
@usableFromInline
struct SuspendableTurn<Element: Sendable>: ~Copyable {
    @export(implementation) let mailbox: Mailbox<Element>
    @usableFromInline let call: Call

    /// The closure to call with the error of a call, before the call counts as ended.
    @export(implementation) let respond: ((any Error) -> Void)?

    @export(implementation) var batch = Mailbox<Element>.Batch()
    @usableFromInline var pace = Pace()
    @usableFromInline var remaining = Mailbox<Element>.callsInTurn
    @export(implementation) var isFilling = false

    @export(implementation)
    init(of mailbox: Mailbox<Element>, onFailure respond: ((any Error) -> Void)?) {
        self.mailbox = mailbox
        self.respond = respond
        call = Call(of: mailbox, canWait: true)
    }

    @inline(__always)
    @export(implementation)
    mutating func next() -> Queued<Element>? {
        guard let next = batch.popFirst() else { return nil }
        call.begins()
        if pace.holdsNothing { mailbox.giveBack(&batch) } else { mailbox.inHand.note(batch.count) }
        return next
    }

    @export(implementation)
    func isPlain(_ next: borrowing Queued<Element>) -> Bool { next.isPlain && !mailbox.isMonitored }

    @usableFromInline
    mutating func fail(_ error: any Error, with element: Queued<Element>) {
        if mailbox.end(element, throwing: error, onFailure: respond).endsTurn { remaining = 1 }
    }

    @inline(__always)
    @export(implementation)
    mutating func goesOn() -> Bool {
        remaining -= 1
        if remaining == 0 || mailbox.isCancelled { return false }
        if !batch.isEmpty { return pace.goesOn() }
        return goesOnRefilled()
    }

    @export(implementation)
    mutating func goesOnRefilled() -> Bool {
        // An element can't be given back to a queue with a limit, so the pace is checked before the next one is taken.
        let isAsked = pace.isSlow || mailbox.policy != .unbounded
        if isAsked, !pace.goesOn() { return false }
        if isFilling, Mailbox<Element>.callsInTurn - remaining >= Mailbox<Element>.callsInBurst { mailbox.letFill() }
        mailbox.refill(&batch, at: &pace)
        isFilling = !batch.isEmpty && !pace.isAwaited && mailbox.policy == .unbounded
        return batch.isEmpty || isAsked || pace.goesOn()
    }
}

extension SuspendableTurn {
    @inline(__always)
    @export(implementation)
    mutating func perform(
        _ next: Queued<Element>, isolation: isolated (any Actor)?, _ body: () async throws -> Void
    ) async {
        let end = await mailbox.perform(next, call, isolation: isolation, onFailure: respond, body)
        if end.endsTurn { remaining = 1 }
    }
}
