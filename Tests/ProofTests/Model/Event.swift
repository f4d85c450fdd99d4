/// Something that can be seen while a program runs.
enum Event: Equatable, Sendable {
    /// An observer was called by a post; posts are numbered as they begin.
    case called(observer: Int, post: Int)
    /// A post ended, and said how many observers it had called; the model says `nil` where either of two answers is right.
    case posted(Int, calls: Int?)
    /// A token was active, or not.
    case looked(observer: Int, isActive: Bool)
    /// So many notifications were dropped for an observer.
    case dropped(observer: Int, Int)
    /// A finish returned at once, and said how many observers had not finished; the model says how many there are between.
    case finished(left: ClosedRange<Int>)
    /// Something that must never be seen.
    case violated(observer: Int?, String)
    /// An operation from outside ended, and the closure of an observer that was over was still not released.
    case kept(observer: Int)

    /// Whether this is what the model expected.
    func agrees(with expected: Event) -> Bool {
        if case .posted(let post, .some) = self, case .posted(post, nil) = expected { return true }
        if case .finished(let found) = self, case .finished(let left) = expected {
            return left.contains(found.lowerBound) && left.contains(found.upperBound)
        }
        return self == expected
    }
}
