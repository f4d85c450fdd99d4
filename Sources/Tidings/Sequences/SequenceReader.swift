/// One iterator's way through a sequence: its mailbox, and the batch that it took out of it.
@usableFromInline
final class SequenceReader<Element: Sendable> {
    @export(implementation) let mailbox: Mailbox<Element>
    @usableFromInline let wakeUp: WakeUp
    @usableFromInline let inHand: InHand
    private let lifetime: SequenceLifetime<Element>
    @export(implementation) var batch = Mailbox<Element>.Batch()
    @usableFromInline var hasEnded = false

    /// The delivery that waits until the consumer has dealt with the element that it was given last.
    @export(implementation) var held = DeliveryScope.none

    /// How many elements were taken, as others run in between.
    @export(implementation) var taken = 0

    init(_ lifetime: SequenceLifetime<Element>) {
        self.lifetime = lifetime
        let line = lifetime.source.makeLine()
        mailbox = line.mailbox
        wakeUp = line.wakeUp
        inHand = mailbox.inHand
    }

    deinit {
        // The consumer may have given up in the middle.
        if held != .none { release(error: SequenceEnded()) }
        discardRest()
        lifetime.source.remove(mailbox)
    }

    /// The next element; `nil` when the sequence has ended or the task is cancelled.
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
            // Asked first: an element that is put in after that, and an end behind it, are met in the next round.
            let isOpen = mailbox.isOpen
            if mailbox.begin(nil, with: &batch) { continue }
            if !isOpen { break }
            // In a burst the next elements are there in a moment.
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
        // First: who waits until the rest has been dealt with looks at what is in hand when it has been.
        inHand.note(0)
        var rest = Mailbox<Element>.Batch()
        swap(&rest, &batch)
        mailbox.discard(rest)
    }

    /// Tells the delivery that waits for it that the consumer has dealt with the element that it was given last, or did not.
    @usableFromInline
    func release(error: (any Error)? = nil) {
        let scope = held
        held = .none
        WaitGraph.update { $0.leave(scope, ObjectIdentifier(mailbox), hasRun: error == nil, error: error) }
    }
}

/// What an iterator takes from: a mailbox whose runner wakes the iterator up.
@usableFromInline
struct SequenceLine<Element: Sendable>: Sendable {
    @export(implementation) let mailbox: Mailbox<Element>
    let wakeUp = WakeUp()

    init(buffering policy: BufferingPolicy, for observer: DeliveryReceipt.Observer) {
        mailbox = Mailbox(buffering: policy, for: observer) { [wakeUp] _ in wakeUp.raise() }
    }
}

/// Where the consumer of a sequence sleeps while there is nothing for it.
@usableFromInline
final class WakeUp: Sendable {
    private enum State {
        case idle
        /// The consumer was to be woken up while it did not sleep: the next time, it does not fall asleep.
        case raised
        case sleeping(CheckedContinuation<Void, Never>)
    }

    private let state = Lock(State.idle)

    @usableFromInline
    init() {}

    /// Wakes up the consumer.
    @usableFromInline
    func raise() {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .sleeping(let continuation) = state else {
                state = .raised
                return nil
            }
            state = .idle
            return continuation
        }
        continuation?.resume()
    }

    /// Returns when there may be something to do, or when the task is cancelled.
    @usableFromInline
    func sleep() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRaised = state.withLock { state in
                    switch state {
                    case .raised:
                        state = .idle
                        return true
                    case .idle:
                        state = .sleeping(continuation)
                        return false
                    case .sleeping:
                        preconditionFailure("an iterator is used by one task at a time")
                    }
                }
                if isRaised { continuation.resume() }
            }
        } onCancel: {
            raise()
        }
    }
}
