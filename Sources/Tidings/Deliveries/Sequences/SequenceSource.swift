public import Synchronization

/// What feeds the iterators of one sequence, each with a mailbox of its own.
///
/// The first mailbox is there from the beginning, for the first iterator, and is fed without a further lock.
@usableFromInline
final class SequenceSource<Element: Sendable>: Sendable {
    struct State {
        /// Whether there is an iterator that reads the first mailbox.
        var hasFirst = false
        /// The lines of further iterators.
        var others: [SequenceLine<Element>] = []
        var isOpen = true
        /// What was dropped in the mailboxes of iterators that are gone.
        var droppedCount = 0
        var watcher: QueueWatcher?
    }

    private let policy: BufferingPolicy
    let state = Lock(State())
    @usableFromInline let first: SequenceLine<Element>
    @usableFromInline let hasOthers = Atomic(false)

    @usableFromInline
    init(buffering policy: BufferingPolicy) {
        self.policy = policy
        first = SequenceLine(buffering: policy)
    }

    /// Hands an element to every iterator.
    @inlinable
    func put(_ element: Element) {
        first.mailbox.put(element)
        if hasOthers.load(ordering: .acquiring) { putToOthers(element) }
    }

    @usableFromInline
    func putToOthers(_ element: Element) {
        for line in state.withLock({ $0.others }) { line.mailbox.put(element) }
    }

    /// What the next iterator takes from.
    func makeLine() -> SequenceLine<Element> {
        let (line, watcher) = state.withLock { state in
            if !state.hasFirst {
                state.hasFirst = true
                return (first, state.watcher)
            }
            let line = SequenceLine<Element>(buffering: policy)
            if state.isOpen {
                state.others.append(line)
                hasOthers.store(true, ordering: .releasing)
            } else {
                line.mailbox.finish()
            }
            return (line, state.watcher)
        }
        if let watcher { line.mailbox.follow(watcher) }
        return line
    }

    /// Lets go of the mailbox of an iterator that is gone.
    @usableFromInline
    func remove(_ mailbox: Mailbox<Element>) {
        mailbox.cancel()
        state.withLock { state in
            guard let index = state.others.firstIndex(where: { $0.mailbox === mailbox }) else { return }
            state.others.remove(at: index)
            state.droppedCount += mailbox.droppedCount
            if state.others.isEmpty { hasOthers.store(false, ordering: .releasing) }
        }
    }

    /// Ends the sequence for every iterator that has taken what there is for it.
    @usableFromInline
    func finish() {
        let lines = state.withLock { state in
            state.isOpen = false
            return state.others + [first]
        }
        for line in lines {
            line.mailbox.finish()
            line.wakeUp.raise()
        }
    }
}
