enum Event: Equatable, Sendable {
    /// An observer was called by a post. Posts are numbered in the order in which they begin.
    case called(observer: Int, post: Int)
    /// A post ended and returned the number of observers it called. The model uses `nil` where two results are correct.
    case posted(Int, calls: Int?)
    /// The result of checking whether an observer's token is active.
    case looked(observer: Int, isActive: Bool)
    /// The number of notifications that were dropped for an observer.
    case dropped(observer: Int, Int)
    /// The number of unfinished observers that a call of `finish` returned. The model records the range of all correct
    /// numbers.
    case finished(left: ClosedRange<Int>)
    /// An event that must never happen.
    case violated(observer: Int?, String)
    /// The closure of an ended observer was still retained after a top-level operation.
    case kept(observer: Int)

    func agrees(with expected: Event) -> Bool {
        if case .posted(let post, .some) = self, case .posted(post, nil) = expected { return true }
        if case .finished(let found) = self, case .finished(let left) = expected {
            return left.contains(found.lowerBound) && left.contains(found.upperBound)
        }
        return self == expected
    }
}
