import TidingsEngine

@usableFromInline
package final class RetryPlan: Sendable {
    let delays: [Duration]
    @export(implementation) let keepsOrder: Bool
    let clock: any Clock<Duration>
    private let last: NotificationFailure.Retry.LastResponse

    /// Describes the retry after a failed call. The first call is attempt 1.
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

/// The elements that wait for a retry. A line holds the elements with the same number of earlier calls. The elements of
/// a line have the same delay, so they are due in the order in which they failed.
@usableFromInline
struct Retries<Element: Sendable>: Sendable {
    struct Waiting: Sendable {
        let queued: Queued<Element>
        let number: Int
        let timer: RetryTimer
    }

    /// Contains no references, because assignments to ``called`` through an optional chain wouldn't release them.
    /// CONTRIBUTING.md describes this miscompilation.
    struct Called: Sendable {
        let number: Int
        let calls: Int
    }

    let plan: RetryPlan

    /// The index of a line is the number of earlier calls, minus one.
    private var lines: [TwoStackQueue<Waiting>]

    private var due: Set<Int> = []
    private var delayed: Set<Int> = []
    private(set) var count = 0
    var called: Called?

    /// Whether queued elements wait for the retry of an earlier element, because the plan keeps the order.
    var isPaused = false

    @usableFromInline
    init(_ plan: RetryPlan) {
        self.plan = plan
        lines = plan.delays.map { _ in TwoStackQueue() }
    }

    var blocks: Bool { plan.keepsOrder && count > 0 }

    var hasDue: Bool { !due.isEmpty && lines.contains { $0.first.map { due.contains($0.number) } == true } }

    var oldestNumber: Int? { lines.compactMap { $0.first?.number }.min() }

    func allows(_ called: Called) -> Bool { called.calls < plan.delays.count }

    mutating func add(_ waiting: Waiting, after calls: Int) {
        lines[calls].append(waiting)
        delayed.insert(waiting.number)
        count += 1
    }

    mutating func noteDue(_ number: Int) -> Bool {
        // The timer may have fired for an element that was dropped in the meantime.
        guard delayed.remove(number) != nil else { return false }
        due.insert(number)
        return true
    }

    mutating func takeDue() -> Queued<Element>? {
        let ready = lines.indices.filter { lines[$0].first.map { due.contains($0.number) } == true }
        guard let line = ready.min(by: { (lines[$0].first?.number ?? 0) < (lines[$1].first?.number ?? 0) }),
            let next = remove(from: line)
        else { return nil }
        called = Called(number: next.number, calls: line + 1)
        return next.queued
    }

    mutating func giveBack(_ queued: Queued<Element>, _ taken: Called) {
        lines[taken.calls - 1].prepend(Waiting(queued: queued, number: taken.number, timer: RetryTimer()))
        due.insert(taken.number)
        count += 1
        called = nil
    }

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

/// The timer of a retry. The mailbox's lock must not be held when it is started, because a custom clock is user code.
@usableFromInline
final class RetryTimer: Sendable {
    private let state = Lock<(limit: WaitLimit?, hasEnded: Bool)>((nil, false))

    func start<C: Clock<Duration>>(until instant: C.Instant, _ clock: C, whenOver: @escaping @Sendable () -> Void) {
        if state.withLock({ $0.hasEnded }) { return }
        let limit = WaitLimit(until: instant, clock, whenOver: whenOver)
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.limit = limit }
            return state.hasEnded
        }
        if hasEnded { limit.end() }
    }

    @usableFromInline
    func end() {
        let limit = state.withLock { state in
            state.hasEnded = true
            return state.limit.take()
        }
        limit?.end()
    }
}
