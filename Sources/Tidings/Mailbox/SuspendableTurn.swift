/// A turn of calls of a closure that can be suspended.
///
/// Most closures that can be suspended return at once, so their calls share a turn. While calls are slow, as the first
/// call is assumed to be, each call has a turn of its own. The rest of the batch is given back before the call, so that
/// a cancel can discard it during the call. The turn ends after the call, so that an owner can be deallocated. See
/// ``Pace``.
///
/// Each delivery has its own loop that makes the calls, in a closure around the observer's, where the observer is
/// registered. So both are compiled together, and a call that returns at once needs no frame and, inside an actor, no
/// hop.
@usableFromInline
struct SuspendableTurn<Element: Sendable>: ~Copyable {
    @export(implementation) let mailbox: Mailbox<Element>
    @usableFromInline let call: Call

    /// Called with the error of a call that threw one, before the call counts as ended.
    @export(implementation) let respond: ((any Error) -> Void)?

    @export(implementation) var batch = Mailbox<Element>.Batch()
    @usableFromInline var pace = Pace()
    @usableFromInline var remaining = Mailbox<Element>.callsInTurn

    /// Whether elements arrived while the last batch was handled, as in a burst.
    @export(implementation) var isFilling = false

    @export(implementation)
    init(of mailbox: Mailbox<Element>, onFailure respond: ((any Error) -> Void)?) {
        self.mailbox = mailbox
        self.respond = respond
        call = Call(of: mailbox, canWait: true)
    }

    /// Takes the element of the next call; `nil` if there is none.
    @inline(__always)
    @export(implementation)
    mutating func next() -> Queued<Element>? {
        guard let next = batch.popFirst() else { return nil }
        call.begins()
        if pace.holdsNothing { mailbox.giveBack(&batch) } else { mailbox.inHand.note(batch.count) }
        return next
    }

    /// Returns whether neither a delivery nor a monitor follows the call with an element.
    @export(implementation)
    func isPlain(_ next: borrowing Queued<Element>) -> Bool { next.isPlain && !mailbox.isMonitored }

    /// Handles the error of a call that neither a delivery nor a monitor follows, and reports it.
    @usableFromInline
    mutating func fail(_ error: any Error, with element: Queued<Element>) {
        if mailbox.end(element, throwing: error, onFailure: respond).endsTurn { remaining = 1 }
    }

    /// Returns whether the turn continues after a call.
    @inline(__always)
    @export(implementation)
    mutating func goesOn() -> Bool {
        remaining -= 1
        if remaining == 0 || mailbox.isCancelled { return false }
        if !batch.isEmpty { return pace.goesOn() }
        return goesOnRefilled()
    }

    /// Returns whether the turn continues with elements that have arrived since the batch was taken.
    @export(implementation)
    mutating func goesOnRefilled() -> Bool {
        // An element that leaves a queue with a limit makes room for another one, so it can't be given back later. The
        // pace is checked before.
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
    @export(implementation)
    mutating func perform(
        _ next: Queued<Element>, isolation: isolated (any Actor)?, _ body: () async throws -> Void
    ) async {
        let end = await mailbox.perform(next, call, isolation: isolation, onFailure: respond, body)
        if end.endsTurn { remaining = 1 }
    }
}
