import Tidings

protocol Announcement: Sendable {
    /// The `RemoteNotification.wireName` of the notification's type.
    var name: String { get }

    var isWanted: Bool { get }

    func post(row: Int64)
}

struct CommittedPost: Sendable {
    let row: Int64
    let announcement: any Announcement
    /// Set if the row was stored while a savepoint was open.
    var part: CommittedPart?
}

/// A part of a committed transaction that a savepoint may have rolled back.
struct CommittedPart: Sendable {
    let id: String
    let isCommitted: @Sendable () async -> Bool
}

/// The committed notifications to post in the center, in the order of the commits.
///
/// A task posts them. Observers may use the database, so they must not run where a transaction ends.
final class CommittedPosts: Sendable {
    private struct State {
        var waiting: [CommittedPost] = []
        var isRunning = false
        var resumes: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    func append(_ posts: [CommittedPost]) {
        let isWanted = posts.contains { $0.announcement.isWanted }
        let starts = state.withLock { state in
            // Behind other waiting posts, these posts wait even without an observer, because one may be registered by
            // then.
            if !isWanted && !state.isRunning { return false }
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
                return ([CommittedPost](), state.resumes)
            }
            for resume in resumes { resume.resume() }
            if posts.isEmpty { return }
            var (part, isCommitted): (String?, Bool) = (nil, true)
            for post in posts {
                if let next = post.part, next.id != part { (part, isCommitted) = (next.id, await next.isCommitted()) }
                if post.part == nil || isCommitted { post.announcement.post(row: post.row) }
            }
            await Task.yield()
        }
    }

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
