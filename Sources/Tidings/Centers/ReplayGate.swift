import Synchronization

/// Stands before an observer of a type that is replayed.
///
/// It is closed when the observer is registered. The one who registers it looks up the latest notification, and how many posts there
/// were at that moment: the posts up to that number are not for the observer, all others are. While the gate is closed, what is posted
/// waits; it is handed over behind the latest, one at a time, by the one who registers. When nothing waits any more the gate opens, and
/// from then on posts call the observer themselves.
final class ReplayGate<N: TypedNotification>: Sendable {
    fileprivate struct State: Sendable {
        /// What is handed over first; `nil` until it is known, and when somebody has begun.
        var latest: (snapshot: LatestNotifications<N>.Snapshot, store: LatestNotifications<N>)?
        /// How many posts there were when it was looked up.
        var boundary: UInt64?
        var waiting: [Replayed<N>] = []
        var isRunning = false
        var isOpen = false
    }

    private let state = Lock(State())

    /// The number of the last post that is not for the observer; the greatest number while the gate is closed.
    ///
    /// The release store, when nothing waits, is paired with the acquire load of posts: what the observer did with the last one that
    /// waited comes before.
    private let boundary = Atomic<UInt64>(.max)

    /// Takes what a post, or the one who hands over, calls the observer with.
    ///
    /// - Parameters:
    ///   - payload: The notification.
    ///   - isConditional: Whether the observer notes itself that it refuses a notification.
    ///   - observer: The observer.
    func receive(_ payload: Replayed<N>, isConditional: Bool, _ observer: @escaping @Sendable (N) -> Void) {
        func call(_ payload: Replayed<N>) {
            observer(payload.notification)
            if !isConditional { Refusal.isNoted = false }
        }
        if payload.isHandedOver { return call(payload) }
        if payload.post.number > boundary.load(ordering: .acquiring) { return call(payload) }
        switch state.withLock({ $0.admit(payload) }) {
        case .call: call(payload)
        case .refuse: Refusal.isNoted = true
        case .wait:
            // On the main actor, a post may come before the one who has registered the observer: then it hands over.
            if N.self is any BelongsToMainActor.Type, begin() { run { payload, _ in call(payload) } }
            Refusal.isNoted = false
        }
    }

    /// Sets what is handed over first.
    func wait(with snapshot: LatestNotifications<N>.Snapshot, in store: LatestNotifications<N>) {
        state.withLock { state in
            state.latest = (snapshot, store)
            state.boundary = snapshot.boundary
        }
    }

    /// Begins to hand over, unless somebody has.
    ///
    /// - Returns: Whether the caller has to call ``run(_:)``.
    func begin() -> Bool {
        state.withLock { state in
            if state.isRunning || state.isOpen || state.boundary == nil { return false }
            state.isRunning = true
            return true
        }
    }

    /// Hands over the latest notification and what waits, and opens the gate.
    ///
    /// - Parameter handOver: Calls the observer with a notification. The second argument is whether it is the latest, of which
    ///   no post has told monitors.
    func run(_ handOver: (Replayed<N>, Bool) -> Void) {
        let latest = state.withLock { state in
            let latest = state.latest
            state.latest = nil
            return latest
        }
        if let (snapshot, store) = latest {
            store.withNotification(of: snapshot) { notification, post in
                handOver(Replayed(notification: notification, post: post, isHandedOver: true), true)
            }
        }
        while var next = state.withLock({ $0.takeNext(opening: boundary) }) {
            next.isHandedOver = true
            handOver(next, false)
        }
    }
}

extension ReplayGate.State {
    enum Admission: Sendable {
        case call, refuse, wait
    }

    /// What becomes of a notification that is posted.
    mutating func admit(_ payload: Replayed<N>) -> Admission {
        if let boundary, payload.post.number <= boundary { return .refuse }
        if isOpen { return .call }
        waiting.append(payload)
        return .wait
    }

    /// Takes what waits next; if there is nothing, opens the gate.
    mutating func takeNext(opening gate: borrowing Atomic<UInt64>) -> Replayed<N>? {
        guard let boundary else { return nil }
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            if next.post.number > boundary { return next }
        }
        isOpen = true
        isRunning = false
        gate.store(boundary, ordering: .releasing)
        return nil
    }
}
