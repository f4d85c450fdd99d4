import Tidings

/// An observer that is called at unpredictable times.
final class FreeLine: Line {
    private struct State {
        var posts: [Int] = []
        var isBusy = false
        var hasOverlapped = false
        /// The maximum total number of calls, which is set when the observer ends.
        var limit = Int.max
        var checked = 0
    }

    let actor = Holder()
    private let isOwned: Bool
    private let state = Lock(State())

    actor Holder {}

    init(isOwned: Bool) { self.isOwned = isOwned }

    func begin(_ post: Int) {
        state.withLock { state in
            if state.isBusy { state.hasOverlapped = true }
            state.isBusy = true
            state.posts.append(post)
        }
    }

    func finishCall() { state.withLock { $0.isBusy = false } }

    // Allows one more call, because a call that has begun may not be recorded yet.
    func noteEnd() { state.withLock { $0.limit = min($0.limit, $0.posts.count + 1) } }

    func noteDrain() { state.withLock { $0.limit = min($0.limit, $0.posts.count) } }

    func letGo() { if !isOwned { noteEnd() } }

    func violation(of expected: [Int]) -> String? {
        state.withLock { state in
            if state.hasOverlapped { return "two calls at a time" }
            if state.posts.count > state.limit { return "called after it was cancelled" }
            if state.posts.count > expected.count { return "called more often than notifications were posted" }
            let new = state.checked..<state.posts.count
            if state.posts[new] != expected[new] {
                return "called with \(state.posts[new]) instead of \(expected[new])"
            }
            state.checked = state.posts.count
            return nil
        }
    }

    func settle(_ number: Int, in world: World, beside model: ReferenceModel) async {
        guard let observer = model.observers[number], !observer.isOver else { return }
        await world.wait { state.withLock { $0.posts.count == observer.expected.count && !$0.isBusy } }
        if state.withLock({ $0.posts.count }) != observer.expected.count {
            world.events.append(.violated(observer: number, "not called with every posted notification"))
        }
        if let violation = violation(of: observer.expected) {
            world.events.append(.violated(observer: number, violation))
        }
    }
}
