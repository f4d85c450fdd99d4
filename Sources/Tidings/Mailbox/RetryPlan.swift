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
        let timer: WaitLimit
    }

    /// An element that is, or was, called.
    struct Called: Sendable {
        let number: Int
        /// How many times it was called before.
        let calls: Int
        /// What measured how long it had to wait; `nil` if it did not.
        var timer: WaitLimit?
    }

    let plan: RetryPlan

    /// What waits, by the number of calls before, which is one more than the index.
    private var lines: [TwoStackQueue<Waiting>]

    /// The numbers of the elements whose delay is over.
    private var due: Set<Int> = []

    /// The numbers of the elements that were dropped before it was.
    private var dropped: Set<Int> = []

    /// How many elements wait, with those that are about to.
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

    /// Makes room for an element that is about to wait, unless it has been called as often as it may.
    mutating func reserve(_ called: Called) -> Bool {
        if called.calls >= plan.delays.count { return false }
        count += 1
        return true
    }

    /// Adds an element for which there is room.
    mutating func add(_ waiting: Waiting, after calls: Int) { lines[calls].append(waiting) }

    /// Notes that the delay of an element is over.
    ///
    /// - Returns: Whether the element is still to be called.
    mutating func noteDue(_ number: Int) -> Bool {
        if dropped.remove(number) != nil { return false }
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
        if !due.contains(number) { dropped.insert(number) }
        return remove(from: line)
    }

    private mutating func remove(from line: Int) -> Waiting? {
        guard let next = lines[line].popFirst() else { return nil }
        count -= 1
        due.remove(next.number)
        return next
    }
}
