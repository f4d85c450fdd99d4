import TidingsEngine

/// How a notification is retried after its observer has thrown an error.
@usableFromInline
package final class RetryPlan: Sendable {
    /// The delay before each further call.
    let delays: [Duration]

    /// Whether later notifications wait until this one has been handled or has failed.
    @export(implementation) let keepsOrder: Bool

    let clock: any Clock<Duration>

    /// The response if the last call throws, too.
    private let last: NotificationFailure.Retry.LastResponse

    /// The description of the retry after a call, for monitors. The first call has the number 1.
    func retry(after attempt: Int) -> NotificationFailure.Retry {
        NotificationFailure.Retry(
            attempt: attempt, attempts: delays.count + 1, delay: delays[attempt - 1], lastResponse: last)
    }

    init(
        delays: [Duration], keepsOrder: Bool, clock: any Clock<Duration>,
        last: NotificationFailure.Retry.LastResponse = .giveUp
    ) {
        self.last = last
        self.delays = delays
        self.keepsOrder = keepsOrder
        self.clock = clock
    }
}

/// The elements of a mailbox that wait for a retry.
///
/// The delays are the same for all elements, so there is a line for each number of calls: the elements that wait for
/// their second call, for their third call, and so on. A line is in the order in which its elements failed, with the
/// oldest first.
@usableFromInline
struct Retries<Element: Sendable>: Sendable {
    /// An element that waits for a retry.
    struct Waiting: Sendable {
        let queued: Queued<Element>
        /// The number of the element in the queue.
        let number: Int
        let timer: RetryTimer
    }

    /// An element that is being called or was called.
    struct Called: Sendable {
        let number: Int
        /// The number of earlier calls.
        let calls: Int
        /// The timer that measured the delay; `nil` if there was none.
        var timer: RetryTimer?
    }

    let plan: RetryPlan

    /// The waiting elements, by the number of earlier calls, which is the index plus one.
    private var lines: [TwoStackQueue<Waiting>]

    private var due: Set<Int> = []

    private var delayed: Set<Int> = []

    private(set) var count = 0

    /// The element that a turn has taken out to be retried, until it takes the next one.
    var called: Called?

    /// Whether turns have ended although elements are queued, to keep the order. The next turn begins when a delay has
    /// passed.
    var isPaused = false

    @usableFromInline
    init(_ plan: RetryPlan) {
        self.plan = plan
        lines = plan.delays.map { _ in TwoStackQueue() }
    }

    /// Whether no other element can be handled.
    var blocks: Bool { plan.keepsOrder && count > 0 }

    var hasDue: Bool { !due.isEmpty && lines.contains { $0.first.map { due.contains($0.number) } == true } }

    /// The number of the oldest waiting element; `nil` if there is none.
    var oldestNumber: Int? { lines.compactMap { $0.first?.number }.min() }

    func allows(_ called: Called) -> Bool { called.calls < plan.delays.count }

    /// Adds an element to be retried.
    mutating func add(_ waiting: Waiting, after calls: Int) {
        lines[calls].append(waiting)
        delayed.insert(waiting.number)
        count += 1
    }

    /// Records that the delay of an element has passed, and returns whether the element is still to be called.
    mutating func noteDue(_ number: Int) -> Bool {
        // The timer of a dropped element may have fired already.
        guard delayed.remove(number) != nil else { return false }
        due.insert(number)
        return true
    }

    /// Removes and returns the oldest of the elements whose delay has passed.
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

    /// Removes and returns the oldest waiting element.
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

/// Measures the delay of an element that waits for a retry.
///
/// Created under the lock of the mailbox, and started after the unlock, because the clock may be the user's.
@usableFromInline
final class RetryTimer: Sendable {
    private enum State: Sendable {
        case ready
        case running(WaitLimit)
        case ended

        var hasEnded: Bool { if case .ended = self { true } else { false } }
    }

    private let state = Lock(State.ready)

    /// Starts measuring, unless it has been ended.
    func start<C: Clock<Duration>>(until instant: C.Instant, _ clock: C, whenOver: @escaping @Sendable () -> Void) {
        if state.withLock({ $0.hasEnded }) { return }
        let limit = WaitLimit(until: instant, clock, whenOver: whenOver)
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state = .running(limit) }
            return state.hasEnded
        }
        if hasEnded { limit.end() }
    }

    /// Ends the timer permanently.
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
