import Tidings

/// What was committed and is to be posted in the center, in the order of the commits.
///
/// It is posted by a task: a transaction ends in a place where observers must not run, as they may use the database.
final class CommittedPosts: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isRunning = false
        var resumes: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    func append(_ posts: [@Sendable () -> Void]) {
        let starts = state.withLock { state in
            state.waiting += posts
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { Task.detached { await self.run() } }
    }

    private func run() async {
        while true {
            let (posts, resumes) = state.withLock { state in
                defer { state.waiting = [] }
                if !state.waiting.isEmpty { return (state.waiting, [CheckedContinuation<Void, Never>]()) }
                state.isRunning = false
                defer { state.resumes = [] }
                return ([@Sendable () -> Void](), state.resumes)
            }
            for resume in resumes { resume.resume() }
            if posts.isEmpty { return }
            for post in posts { post() }
            await Task.yield()
        }
    }

    /// Returns when everything that was committed before has been posted.
    func drain() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.isRunning { state.resumes.append(continuation) }
                return !state.isRunning
            }
            if isDone { continuation.resume() }
        }
    }
}
