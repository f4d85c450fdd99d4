import TidingsEngine

/// How a notification is handed again to an observer that has thrown an error.
@usableFromInline
package final class RetryPlan: Sendable {
    /// How long to wait before each further call.
    let delays: [Duration]

    /// Whether the notifications behind wait until this one has been handled, or given up.
    @export(implementation) let keepsOrder: Bool

    /// The clock that measures the delays.
    let clock: any Clock<Duration>

    init(delays: [Duration], keepsOrder: Bool, clock: any Clock<Duration>) {
        self.delays = delays
        self.keepsOrder = keepsOrder
        self.clock = clock
    }
}

/// The elements of a mailbox that wait until they are handed to the observer again.
///
/// The delays are the same for all elements. So those that wait for their second call are in the order in which they failed, and so are
/// those that wait for their third, and the first of each line is its oldest.
@usableFromInline
struct Retries<Element: Sendable>: Sendable {
    /// An element that waits.
    struct Waiting: Sendable {
        let queued: Queued<Element>
        /// The number that the element had in the queue.
        let number: Int
        /// Measures how long it has to wait.
        let timer: RetryTimer
    }

    /// An element that is, or was, called.
    struct Called: Sendable {
        let number: Int
        /// How many times it was called before.
        let calls: Int
        /// What measured how long it had to wait; `nil` if it did not.
        var timer: RetryTimer?
    }

    let plan: RetryPlan

    /// What waits, by the number of calls before, which is one more than the index.
    private var lines: [TwoStackQueue<Waiting>]

    /// The numbers of the elements whose delay is over.
    private var due: Set<Int> = []

    /// The numbers of the elements whose delay is not over.
    private var delayed: Set<Int> = []

    /// How many elements wait.
    private(set) var count = 0

    /// The element that a turn has taken out to be called again, until it takes the next.
    var called: Called?

    /// Whether turns have ended although elements wait, to keep the order: the next turn begins when a delay is over.
    var isPaused = false

    @usableFromInline
    init(_ plan: RetryPlan) {
        self.plan = plan
        lines = plan.delays.map { _ in TwoStackQueue() }
    }

    /// Whether no other element may be handled.
    var blocks: Bool { plan.keepsOrder && count > 0 }

    /// Whether an element can be handled again.
    var hasDue: Bool { !due.isEmpty && lines.contains { $0.first.map { due.contains($0.number) } == true } }

    /// The number of the oldest element that waits; `nil` if none does.
    var oldestNumber: Int? { lines.compactMap { $0.first?.number }.min() }

    /// Whether an element may be called again.
    func allows(_ called: Called) -> Bool { called.calls < plan.delays.count }

    /// Adds an element that may be called again.
    mutating func add(_ waiting: Waiting, after calls: Int) {
        lines[calls].append(waiting)
        delayed.insert(waiting.number)
        count += 1
    }

    /// Notes that the delay of an element is over.
    ///
    /// - Returns: Whether the element is still to be called.
    mutating func noteDue(_ number: Int) -> Bool {
        // The timer of one that is dropped may be past stopping.
        guard delayed.remove(number) != nil else { return false }
        due.insert(number)
        return true
    }

    /// Takes out the oldest of the elements whose delay is over.
    mutating func takeDue() -> Queued<Element>? {
        let ready = lines.indices.filter { lines[$0].first.map { due.contains($0.number) } == true }
        guard let line = ready.min(by: { (lines[$0].first?.number ?? 0) < (lines[$1].first?.number ?? 0) }),
            let next = remove(from: line)
        else { return nil }
        called = Called(number: next.number, calls: line + 1, timer: next.timer)
        return next.queued
    }

    /// Takes back an element that was taken out and not called, as the next one.
    mutating func giveBack(_ queued: Queued<Element>, _ taken: Called) {
        guard let timer = taken.timer else { return }
        lines[taken.calls - 1].prepend(Waiting(queued: queued, number: taken.number, timer: timer))
        due.insert(taken.number)
        count += 1
        called = nil
    }

    /// Takes out the oldest element that waits.
    mutating func takeOldest() -> Waiting? {
        guard let number = oldestNumber, let line = lines.firstIndex(where: { $0.first?.number == number }) else {
            return nil
        }
        return remove(from: line)
    }

    private mutating func remove(from line: Int) -> Waiting? {
        guard let next = lines[line].popFirst() else { return nil }
        count -= 1
        due.remove(next.number)
        delayed.remove(next.number)
        return next
    }
}

/// Measures how long an element waits until it is handed to the observer again.
///
/// It is made under the lock of the mailbox, and begins to measure after that, as a clock may be the user's.
@usableFromInline
final class RetryTimer: Sendable {
    private enum State: Sendable {
        case ready
        case running(WaitLimit)
        case ended

        var hasEnded: Bool { if case .ended = self { true } else { false } }
    }

    private let state = Lock(State.ready)

    /// Begins to measure, unless it was ended.
    func start<C: Clock<Duration>>(until instant: C.Instant, _ clock: C, whenOver: @escaping @Sendable () -> Void) {
        if state.withLock({ $0.hasEnded }) { return }
        let limit = WaitLimit(until: instant, clock, whenOver: whenOver)
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state = .running(limit) }
            return state.hasEnded
        }
        if hasEnded { limit.end() }
    }

    /// Ends it for good.
    @usableFromInline
    func end() {
        let last = state.withLock { state in
            let last = state
            state = .ended
            return last
        }
        if case .running(let limit) = last { limit.end() }
    }
}
