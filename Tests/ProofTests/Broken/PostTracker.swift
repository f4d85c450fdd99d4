import Tidings

final class PostTracker: Sendable {
    private struct State {
        var notifications: [any Sendable] = []
        var afterwards: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    var innermost: (any Sendable)? { state.withLock { $0.notifications.last } }

    /// Runs a post. After the outermost post, also runs the deferred actions.
    func track<N: TypedNotification>(_ notification: N, _ post: () -> Int) -> Int {
        let unchecked = Unchecked(value: notification)
        state.withLock { $0.notifications.append(unchecked) }
        let calls = post()
        let afterwards = state.withLock { state in
            state.notifications.removeLast()
            guard state.notifications.isEmpty else { return [@Sendable () -> Void]() }
            defer { state.afterwards = [] }
            return state.afterwards
        }
        for act in afterwards { act() }
        return calls
    }

    /// Defers an action until the outermost post has ended.
    func putOff(_ act: @escaping @Sendable () -> Void) { state.withLock { $0.afterwards.append(act) } }
}
