import Synchronization

/// Stands before an observer of a type that is replayed, and lets it have each notification once.
///
/// The gate is closed when the observer is registered. The registration looks up the latest notification, and how many posts
/// there were at that moment: the posts up to that number are not for the observer, all others are. While the gate is closed,
/// what is posted waits. The registration hands over the latest notification and then what waits, one at a time. When nothing
/// waits any more the gate opens, and from then on posts call the observer themselves.
final class ReplayGate<N: TypedNotification>: Sendable {
    fileprivate struct State: Sendable {
        /// What is handed over first; `nil` until it is known, and again once it was taken out.
        var latest: (snapshot: LatestNotifications<N>.Snapshot, store: LatestNotifications<N>)?
        /// How many posts there were when it was looked up.
        var boundary: UInt64?
        /// What was posted while the gate was closed. Once the boundary is known, all of it is for the observer.
        var waiting: [HandedOver<N>] = []
        var isRunning = false
        var isOpen = false
    }

    private let state = Lock(State())

    /// The number of the last post that is not for the observer; the greatest number while the gate is closed.
    ///
    /// The release store, when nothing waits, is paired with the acquire load of posts: what the observer did with the last one
    /// that waited comes before.
    private let boundary = Atomic<UInt64>(.max)

    /// What becomes of a notification that is posted.
    fileprivate func admit(_ payload: Replayed<N>) -> Admission {
        if payload.post.number > boundary.load(ordering: .acquiring) { return .call }
        return state.withLock { $0.admit(payload) }
    }

    /// Sets what is handed over first, and forgets what waits and is not for the observer.
    func wait(with snapshot: LatestNotifications<N>.Snapshot, in store: LatestNotifications<N>) {
        // Released after the lock: the release of a notification may run a user's `deinit`, which may post.
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state.latest = (snapshot, store)
            state.boundary = snapshot.boundary
            state.waiting.removeAll { $0.payload.post.number <= snapshot.boundary }
            return waiting
        }
        withExtendedLifetime(waiting) {}
    }

    /// Begins to hand over, unless another caller has begun.
    ///
    /// - Returns: Whether the caller has to call the observer with all that ``takeNext()`` returns.
    func begin() -> Bool {
        state.withLock { state in
            if state.isRunning || state.isOpen || state.boundary == nil { return false }
            state.isRunning = true
            return true
        }
    }

    /// Takes out what is to be handed over next: the latest notification, then what was held back, in the order of its posts.
    ///
    /// - Returns: It; `nil` if there is nothing. Then the gate is open.
    func takeNext() -> HandedOver<N>? {
        let latest = state.withLock { $0.latest.take() }
        if let latest, let handedOver = latest.store.latest(of: latest.snapshot) { return handedOver }
        return state.withLock { $0.takeNext(opening: boundary) }
    }
}

/// A notification that a registration hands to its observer. An object, as code that does not know the type passes it on.
final class HandedOver<N: TypedNotification>: @unchecked Sendable {  // immutable, and so is the sender for its user
    let payload: Replayed<N>

    /// Whether it is the latest notification as of the registration, of which no post has told monitors for this observer.
    let isLatest: Bool

    /// The sender of the latest notification, if it is an object: it has to live until the observer was called.
    private let sender: AnyObject?

    /// The latest notification as of a registration.
    init(latest notification: N, of post: KeptPost, sender: AnyObject?) {
        payload = Replayed(notification: notification, post: post, isHandedOver: true)
        isLatest = true
        self.sender = sender
    }

    /// A notification that was posted while the gate was closed.
    init(waiting posted: Replayed<N>) {
        payload = Replayed(notification: posted.notification, post: posted.post, isHandedOver: true)
        isLatest = false
        sender = nil
    }
}

/// An observer of a type that is replayed, behind its gate: what the channel calls.
///
/// The gate does not refer to the observer. So a registration that has yet to hand something over, on the main actor, keeps
/// nothing alive that a cancelled observer captured.
final class GatedObserver<N: TypedNotification>: Sendable {
    private let gate: ReplayGate<N>
    private let observer: @Sendable (N) -> Void

    /// Whether the observer notes itself that it refuses a notification.
    private let isConditional: Bool

    init(_ observer: @escaping @Sendable (N) -> Void, behind gate: ReplayGate<N>, isConditional: Bool) {
        self.gate = gate
        self.observer = observer
        self.isConditional = isConditional
    }

    /// Takes what the channel calls the observer with, in a post or as the registration hands it over.
    func receive(_ payload: Replayed<N>) {
        switch payload.isHandedOver ? .call : gate.admit(payload) {
        case .call: call(payload)
        case .refuse: Refusal.isNoted = true
        case .wait:
            // An observer on the main actor is handed things there by a task. A post on the main actor may come before that task,
            // and hands over in its place.
            if N.self is any BelongsToMainActor.Type, gate.begin() {
                while let next = gate.takeNext() { withExtendedLifetime(next) { call(next.payload) } }
            }
            Refusal.isNoted = false
        }
    }

    private func call(_ payload: Replayed<N>) {
        observer(payload.notification)
        if !isConditional { Refusal.isNoted = false }
    }
}

/// What becomes of a notification that is posted to an observer behind a gate.
private enum Admission {
    case call, refuse, wait
}

extension ReplayGate.State {
    /// What becomes of a notification that is posted, and that the boundary did not let through.
    fileprivate mutating func admit(_ payload: Replayed<N>) -> Admission {
        if let boundary, payload.post.number <= boundary { return .refuse }
        if isOpen { return .call }
        waiting.append(HandedOver(waiting: payload))
        return .wait
    }

    /// Takes what waits next; if there is nothing, opens the gate.
    mutating func takeNext(opening gate: borrowing Atomic<UInt64>) -> HandedOver<N>? {
        guard let boundary else { return nil }
        if !waiting.isEmpty { return waiting.removeFirst() }
        isOpen = true
        isRunning = false
        gate.store(boundary, ordering: .releasing)
        return nil
    }
}
