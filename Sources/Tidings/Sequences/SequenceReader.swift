@usableFromInline
final class SequenceReader<Element: Sendable> {
    @export(implementation) let mailbox: Mailbox<Element>
    @usableFromInline let wakeUp: WakeUp
    @usableFromInline let inHand: InHand
    private let lifetime: SequenceLifetime<Element>
    @export(implementation) var batch = Mailbox<Element>.Batch()
    @usableFromInline var hasEnded = false

    /// Identifies the delivery that waits until the consumer has handled the element that it received last.
    @export(implementation) var held = DeliveryScope.none

    @export(implementation) var taken = 0

    init(_ lifetime: SequenceLifetime<Element>) {
        self.lifetime = lifetime
        let line = lifetime.source.makeLine()
        mailbox = line.mailbox
        wakeUp = line.wakeUp
        inHand = mailbox.inHand
    }

    deinit {
        if held != .none { release(error: SequenceEnded()) }
        discardRest()
        lifetime.source.remove(mailbox)
    }

    @export(implementation)
    func next(isolation: isolated (any Actor)?) async -> Element? {
        if held != .none { release() }
        if hasEnded { return nil }
        while !Task.isCancelled {
            if let next = batch.popFirst() {
                inHand.note(batch.count)
                if !next.isPlain { held = mailbox.tellTaken(next) }
                taken &+= 1
                if taken % Mailbox<Element>.callsInTurn == 0 { await Task.yield() }
                return next.element
            }
            // `isOpen` is read before `begin`. Otherwise, an element put in just before the mailbox ends could be lost.
            let isOpen = mailbox.isOpen
            if mailbox.begin(nil, with: &batch) { continue }
            if !isOpen { break }
            // Yields before the sleep, because the next elements of a burst arrive soon.
            await Task.yield()
            if mailbox.begin(nil, with: &batch) { continue }
            await wakeUp.sleep()
        }
        end()
        return nil
    }

    @usableFromInline
    func end() {
        hasEnded = true
        discardRest()
        lifetime.source.remove(mailbox)
    }

    private func discardRest() {
        // `inHand` is set before the elements are discarded, because a discard resumes code that may read `inHand`.
        inHand.note(0)
        var rest = Mailbox<Element>.Batch()
        swap(&rest, &batch)
        mailbox.discard(rest)
    }

    @usableFromInline
    func release(error: (any Error)? = nil) {
        let scope = held
        held = .none
        WaitGraph.update { $0.leave(scope, ObjectIdentifier(mailbox), hasRun: error == nil, error: error) }
    }
}

@usableFromInline
struct SequenceLine<Element: Sendable>: Sendable {
    @export(implementation) let mailbox: Mailbox<Element>
    let wakeUp = WakeUp()

    init(buffering policy: BufferingPolicy, for observer: DeliveryReceipt.Observer) {
        mailbox = Mailbox(buffering: policy, for: observer) { [wakeUp] _ in wakeUp.raise() }
    }
}

@usableFromInline
final class WakeUp: Sendable {
    /// If `isRaised` is `true`, the consumer was woken up while it wasn't suspended, so its next sleep returns at once.
    private let state = Lock<(isRaised: Bool, sleeping: CheckedContinuation<Void, Never>?)>((false, nil))

    init() {}

    func raise() {
        let continuation = state.withLock { state in
            state.isRaised = state.sleeping == nil
            return state.sleeping.take()
        }
        continuation?.resume()
    }

    /// Returns when there may be elements, or when the sequence has ended or the task is cancelled.
    @usableFromInline
    func sleep() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRaised = state.withLock { state in
                    precondition(state.sleeping == nil, "two tasks used an iterator at the same time")
                    defer { state.isRaised = false }
                    if !state.isRaised { state.sleeping = continuation }
                    return state.isRaised
                }
                if isRaised { continuation.resume() }
            }
        } onCancel: {
            raise()
        }
    }
}
