/// What waits for an asynchronous observer, first in, first out, under a buffering policy.
///
/// Elements arrive in `back` and leave from `front`; when `front` is used up, the two change places. So an element is never
/// copied, and both ends cost the same however many wait.
@usableFromInline
struct Backlog<Element> {
    @usableFromInline let policy: BufferingPolicy
    @usableFromInline var front = Batch<Element>()
    @usableFromInline var back = Batch<Element>()

    /// How many elements the policy dropped.
    @usableFromInline var droppedCount = 0

    @inlinable
    init(_ policy: BufferingPolicy) {
        switch policy {
        case .unbounded: break
        case .oldest(let limit), .latest(let limit): precondition(limit >= 0, "a limit is not negative")
        }
        self.policy = policy
    }

    /// Whether elements leave one by one, as each that does makes room for another.
    @inlinable var isBounded: Bool { policy != .unbounded }

    @inlinable var count: Int { front.count + back.count }

    /// How many elements there will be after one more has arrived; `nil` if it will be dropped itself.
    var countAfterAppending: Int? {
        switch policy {
        case .oldest(let limit) where count >= limit, .latest(let limit) where limit == 0: nil
        case .latest(let limit): min(count + 1, limit)
        default: count + 1
        }
    }

    @inlinable var isEmpty: Bool { front.isEmpty && back.isEmpty }

    /// Adds an element.
    ///
    /// - Returns: The one that is dropped for it, which may be itself; `nil` if there is room.
    @inlinable
    mutating func append(_ element: Element) -> Element? {
        switch policy {
        case .oldest(let limit) where count >= limit, .latest(let limit) where limit == 0:
            droppedCount += 1
            return element
        case .latest(let limit) where count >= limit:
            droppedCount += 1
            let oldest = next()
            back.append(element)
            return oldest
        default:
            back.append(element)
            return nil
        }
    }

    /// Moves elements into an empty batch: all of them if the policy is unbounded, else the next one only.
    ///
    /// - Returns: Whether there was any.
    @inlinable
    mutating func take(into batch: inout Batch<Element>) -> Bool {
        if isBounded {
            guard let next = next() else { return false }
            batch.append(next)
            return true
        }
        if front.isEmpty { swap(&back, &batch) } else { swap(&front, &batch) }
        return !batch.isEmpty
    }

    /// Takes back what is left of an unbounded batch, to be taken first again.
    @inlinable
    mutating func putBack(_ rest: inout Batch<Element>) {
        assert(front.isEmpty, "a batch that is put back was all there was in front")
        swap(&front, &rest)
    }

    /// Empties the backlog.
    ///
    /// - Returns: What was in it.
    @inlinable
    mutating func removeAll() -> Backlog {
        defer {
            front = Batch()
            back = Batch()
        }
        return self
    }

    /// Takes the next element out.
    @inlinable
    mutating func next() -> Element? {
        if front.isEmpty { swap(&front, &back) }
        return front.next()
    }
}

extension Backlog: Sendable where Element: Sendable {}
