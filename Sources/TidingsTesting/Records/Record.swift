import Tidings

final class Record: Sendable {
    private struct State {
        var posts: [RecordedPost] = []
        /// The number of each task. The key identifies a task while it is alive.
        var tasks: [Int: Int] = [:]
        var probes: [Int: @Sendable (RecordedPost) -> Void] = [:]
        var lastProbe = 0
    }

    private let state = Lock(State())

    var posts: [RecordedPost] { state.withLock { $0.posts } }

    /// Records a notification. The returned object receives the number of observers when the post has ended.
    func add<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> CallCount {
        let kept = KeptNotification(notification)
        let (text, sender, calls) = (kept.text, descriptionOfSender(notification.sender), CallCount())
        // The reference to the task is only used inside the closure, while it is valid.
        let identity = unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue }
        let name =
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { Task.name } else { String?.none }
        let (post, probes) = state.withLock { state in
            let task = identity.map { identity in
                let number = state.tasks[identity] ?? state.tasks.count + 1
                state.tasks[identity] = number
                return PostingTask(number: number, name: name)
            }
            let post = RecordedPost(
                number: state.posts.count + 1, text: text, sender: sender, task: task, place: place, calls: calls,
                kept: kept)
            state.posts.append(post)
            return (post, Array(state.probes.values))
        }
        for probe in probes { probe(post) }
        return calls
    }

    func removeAll() {
        // The posts are released after the unlock, because the release may run a user's `deinit`.
        _ = state.withLock { state in
            defer { state.posts = [] }
            return state.posts
        }
    }

    /// Adds a closure that is called with each post, before its observers. Returns a number for removing the closure.
    func addProbe(_ probe: @escaping @Sendable (RecordedPost) -> Void) -> Int {
        state.withLock { state in
            state.lastProbe += 1
            state.probes[state.lastProbe] = probe
            return state.lastProbe
        }
    }

    func removeProbe(_ number: Int) {
        // The probe is released after the unlock, because it may hold the last reference to an object of the test.
        _ = state.withLock { $0.probes.removeValue(forKey: number) }
    }
}
