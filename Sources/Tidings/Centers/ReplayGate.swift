public import Synchronization
import TidingsEngine

/// Stands before an observer of a type that is replayed, and lets it have each notification once.
///
/// The gate is closed when the observer is registered. The registration looks up the latest notification, and how many posts
/// there were at that moment: the posts up to that number are not for the observer, all others are. While the gate is closed,
/// what is posted waits. The registration hands over the latest notification and then what waits, one at a time. When nothing
/// waits any more the gate opens, and from then on posts call the observer themselves.
///
/// It does not know the type, as code that is generic at run time looks types up at each step; and it does not refer to the
/// observer. So a registration that has yet to hand something over keeps nothing alive that a cancelled observer captured.
@usableFromInline
final class ReplayGate: Sendable {
    private struct State: Sendable {
        /// Finds the notification that is handed over first; `nil` until it is known, and again once it was taken out.
        var latest: (@Sendable () -> HandedOver?)?
        /// How many posts there were when it was looked up.
        var boundary: UInt64?
        /// What was posted while the gate was closed. Once the boundary is known, all of it is for the observer.
        var waiting: [HandedOver] = []
        var isRunning = false
        var isOpen = false
    }

    private let state = Lock(State())

    /// The number of the last post that is not for the observer; the greatest number while the gate is closed.
    ///
    /// The release store, when nothing waits, is paired with the acquire load of posts: what the observer did with the last one
    /// that waited comes before.
    @usableFromInline let boundary = Atomic<UInt64>(.max)

    @usableFromInline
    init() {}

    /// Whether the gate is open, and a post is for the observer.
    ///
    /// - Parameter post: The post.
    /// - Returns: Whether it calls the observer; if not, it has to ask what becomes of it.
    @inlinable
    func isOpen(to post: KeptPost) -> Bool { post.number > boundary.load(ordering: .acquiring) }

    /// What becomes of a notification that is posted.
    fileprivate enum Decision: Sendable {
        case call, refuse, wait
    }

    /// Decides what becomes of a notification that is posted.
    ///
    /// - Parameter waiting: What waits, if it has to.
    /// - Returns: What becomes of it.
    fileprivate func decide(on waiting: HandedOver) -> Decision {
        state.withLock { state in
            if let boundary = state.boundary, waiting.post.number <= boundary { return .refuse }
            if state.isOpen { return .call }
            state.waiting.append(waiting)
            return .wait
        }
    }

    /// Sets where the first notification to be handed over comes from, and forgets those that wait and are not for the observer.
    ///
    /// - Parameters:
    ///   - latest: Finds the latest notification.
    ///   - boundary: How many posts there were when it was looked up.
    func wait(for latest: @escaping @Sendable () -> HandedOver?, after boundary: UInt64) {
        // Released after the lock: the release of a notification may run a user's `deinit`, which may post.
        let forgotten = state.withLock { state in
            let waiting = state.waiting
            state.latest = latest
            state.boundary = boundary
            if !waiting.isEmpty { state.waiting = waiting.filter { $0.post.number > boundary } }
            return waiting
        }
        withExtendedLifetime(forgotten) {}
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

    /// Takes out the next notification to be handed over: the latest one, then those that were held back, in the order of its
    /// posts.
    ///
    /// - Returns: It; `nil` if there is nothing. Then the gate is open.
    func takeNext() -> HandedOver? {
        if let latest = state.withLock({ $0.latest.take() }), let first = latest() { return first }
        return state.withLock { state in
            guard let boundary = state.boundary else { return nil }
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.isOpen = true
            state.isRunning = false
            self.boundary.store(boundary, ordering: .releasing)
            return nil
        }
    }
}

/// A notification that a registration hands to its observer; always a ``HandedOverOf``, which knows the type.
class HandedOver: @unchecked Sendable {  // immutable
    let post: KeptPost

    /// Whether it is the latest notification as of the registration, of which no post has told monitors for this observer.
    let isLatest: Bool

    fileprivate init(_ post: KeptPost, isLatest: Bool) {
        self.post = post
        self.isLatest = isLatest
    }

    /// What the channel calls the observer with. The caller knows the type, as everything behind one gate is of one type.
    final func payload<N: TypedNotification>(of type: N.Type) -> Replayed<N> {
        // Checked in debug builds.
        unsafe unsafeDowncast(self, to: HandedOverOf<N>.self).payload
    }
}

/// A notification of a type that a registration hands to its observer.
final class HandedOverOf<N: TypedNotification>: HandedOver, @unchecked Sendable {  // immutable
    fileprivate let payload: Replayed<N>

    /// The sender of the latest notification, if it is an object: it has to live until the observer was called.
    private let sender: AnyObject?

    /// - Parameters:
    ///   - whole: The notification.
    ///   - isLatest: Whether it is the latest as of the registration.
    ///   - sender: Its sender, if that is an object which nothing else may keep alive.
    init(_ whole: WholeNotification<N>, isLatest: Bool, sender: AnyObject? = nil) {
        payload = Replayed(whole, isHandedOver: true)
        self.sender = sender
        super.init(payload.post, isLatest: isLatest)
    }
}

/// An observer of a type that is replayed, behind its gate: what the channel calls.
@usableFromInline
final class GatedObserver<N: TypedNotification>: Sendable {
    @usableFromInline let gate: ReplayGate
    @usableFromInline let observer: @Sendable (N) -> Void

    /// Whether the observer notes itself that it refuses a notification.
    @usableFromInline let isConditional: Bool

    @inlinable
    init(_ observer: @escaping @Sendable (N) -> Void, behind gate: ReplayGate, isConditional: Bool) {
        self.gate = gate
        self.observer = observer
        self.isConditional = isConditional
    }

    /// Takes what the channel calls the observer with, in a post or as the registration hands it over.
    @inlinable
    func receive(_ payload: Replayed<N>) {
        if payload.isHandedOver || gate.isOpen(to: payload.whole) { call(payload) } else { receiveAtGate(payload) }
    }

    /// Takes what a post calls the observer with while the gate is closed, or a moment after.
    @usableFromInline
    @inline(never)
    func receiveAtGate(_ payload: Replayed<N>) {
        switch gate.decide(on: HandedOverOf(payload.whole, isLatest: false)) {
        case .call: call(payload)
        case .refuse:
            Refusal.isNoted = true
            payload.whole.noteRefusal()
        case .wait:
            // An observer on the main actor is handed things there by a task. A post on the main actor may come before that
            // task, and hands over in its place.
            if N.self is any BelongsToMainActor.Type, gate.begin() {
                while let next = gate.takeNext() { withExtendedLifetime(next) { call(next.payload(of: N.self)) } }
            }
            Refusal.isNoted = false
        }
    }

    @inlinable
    @inline(__always)
    func call(_ payload: Replayed<N>) {
        observer(payload.whole.notification)
        if !isConditional { Refusal.isNoted = false }
    }
}
