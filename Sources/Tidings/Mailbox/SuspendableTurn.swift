/// A turn of calls of a closure that may be suspended.
///
/// Most closures that may be suspended are not: they return at once. The calls of such a closure share a turn, as those of one that
/// cannot be suspended do. As long as calls take their time, as the first one is taken to do, each is a turn of its own: the rest of
/// the batch is given back before it, so that a cancel discards it although the call goes on, and the turn ends after it, so that an
/// owner may go. See ``Pace``.
///
/// Each delivery has a loop of its own that makes the calls, in a closure around the observer's, where the observer is registered: so
/// both are compiled as one piece, in which a call that returns at once costs no frame and, inside an actor, no hop.
@usableFromInline
struct SuspendableTurn<Element: Sendable>: ~Copyable {
    @export(implementation) let mailbox: Mailbox<Element>
    @usableFromInline let call: Call

    /// Called with the error of a call that threw one, before the call counts as ended.
    @export(implementation) let respond: ((any Error) -> Void)?

    @export(implementation) var batch = Mailbox<Element>.Batch()
    @usableFromInline var pace = Pace()
    @usableFromInline var remaining = Mailbox<Element>.callsInTurn

    /// Whether more arrived while the last batch was handled, as in a burst that is under way.
    @export(implementation) var isFilling = false

    @export(implementation)
    init(of mailbox: Mailbox<Element>, onFailure respond: ((any Error) -> Void)?) {
        self.mailbox = mailbox
        self.respond = respond
        call = Call(of: mailbox, canWait: true)
    }

    /// Takes the element of the next call; `nil` if nothing waits.
    @inline(__always)
    @export(implementation)
    mutating func next() -> Queued<Element>? {
        guard let next = batch.popFirst() else { return nil }
        if pace.holdsNothing { mailbox.giveBack(&batch) } else { mailbox.inHand.note(batch.count) }
        return next
    }

    /// Whether nobody follows the call with an element: no delivery, and no monitor.
    @export(implementation)
    func isPlain(_ next: borrowing Queued<Element>) -> Bool { next.isPlain && !mailbox.isMonitored }

    /// Responds to the error of a call that nobody follows, and reports it.
    @usableFromInline
    mutating func fail(_ error: any Error, with element: Queued<Element>) {
        let end = mailbox.end(element, throwing: error, onFailure: respond)
        mailbox.tell(error)
        if end.endsTurn { remaining = 1 }
    }

    /// Whether the turn goes on after a call.
    @inline(__always)
    @export(implementation)
    mutating func goesOn() -> Bool {
        remaining -= 1
        if remaining == 0 || mailbox.isCancelled { return false }
        if !batch.isEmpty { return pace.goesOn() }
        return goesOnRefilled()
    }

    /// Whether the turn goes on when the batch is used up: it takes what has arrived meanwhile.
    @export(implementation)
    mutating func goesOnRefilled() -> Bool {
        // What leaves a queue with a limit makes room for another element, so it is not given back: the pace is asked before.
        let isAsked = pace.isSlow || mailbox.policy != .unbounded
        if isAsked, !pace.goesOn() { return false }
        if isFilling, Mailbox<Element>.callsInTurn - remaining >= Mailbox<Element>.callsInBurst { mailbox.letFill() }
        mailbox.refill(&batch, at: &pace)
        isFilling = !batch.isEmpty && !pace.isAwaited && mailbox.policy == .unbounded
        return batch.isEmpty || isAsked || pace.goesOn()
    }
}

extension SuspendableTurn {
    /// Makes a call that a delivery or a monitor follows.
    ///
    /// - Parameters:
    ///   - next: The element.
    ///   - isolation: Where the call is made.
    ///   - body: Makes the call.
    @export(implementation)
    mutating func perform(
        _ next: Queued<Element>, isolation: isolated (any Actor)?, _ body: () async throws -> Void
    ) async {
        let end = await mailbox.perform(next, call, isolation: isolation, onFailure: respond, body)
        if end.endsTurn { remaining = 1 }
    }
}
