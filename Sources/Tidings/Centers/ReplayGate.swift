import TidingsEngine

/// A gate in front of an observer of a replayed type, which passes each notification to the observer exactly once.
///
/// The gate is closed when the observer is registered. The registration reads the latest notification and the number of
/// posts. Only later posts are for the observer, and are queued while the gate is closed. In the *hand-over*, the
/// registration passes the latest and then the queued notifications to the observer. When the queue is empty, the gate
/// opens, and posts call the observer.
///
/// While the registration hands over queued notifications, the phase is `closing`: further posts wait instead of being
/// queued. So the gate opens no matter how fast other threads post. The wait is bounded, because the observer may
/// itself be waiting for one of these posts. A post that times out is queued. A post by the observer is queued at once.
///
/// The class isn't generic, because unspecialized code looks up generic types at run time in every step. A gate doesn't
/// refer to its observer, so a pending hand-over doesn't keep the captures of a cancelled observer alive.
@usableFromInline
final class ReplayGate: Sendable {
    private enum Phase {
        case closed
        case closing
        case open
        case ended
    }

    private struct State: ~Copyable, Sendable {
        var phase = Phase.closed
        /// Hands over a main-actor notification. A post calls the closure if the registration's task hasn't run yet.
        /// The value is `nil` once the hand-over has begun.
        var handOver: (@Sendable () -> Void)?
        /// The number of posts when the latest notification was read.
        var boundary: UInt64?
        /// The queued notifications. Once the boundary is known, only those for the observer remain.
        var waiting: [HandedOver] = []
        var runner: UInt = 0
        /// How long a post waits for a single call to end, in nanoseconds.
        var patience: Int64 = 1_000_000
    }

    private static let mostPatience: Int64 = 100_000_000

    private let state = Lock(State())

    /// The number of the last post that isn't for the observer; `.max` until the gate opens.
    ///
    /// The releasing store, made when the queue is empty, pairs with the acquiring load of posts: a post that finds the
    /// gate open sees everything that the observer did with the last queued notification.
    @usableFromInline let boundary = Atomic<UInt64>(.max)

    /// The number of queued notifications handed over so far. Relaxed, because waiting posts only check for changes.
    private let progress = Atomic<UInt64>(0)

    @usableFromInline
    init() {}

    /// Whether a post may call the observer at once. Otherwise the post has to call `isOpenInTime(to:)`.
    @export(implementation)
    func isOpen(to number: UInt64) -> Bool { number > boundary.load(ordering: .acquiring) }

    private enum Decision {
        case refuse
        case call
        case wait(Int64)
    }

    /// May wait for the gate. Returns whether the post has to call the observer. If not, the registration hands the
    /// notification over, or the observer doesn't receive it.
    func isOpenInTime(to posted: HandedOver) -> Bool {
        var isPatient = true
        while true {
            switch decide(on: posted, isPatient) {
            case .refuse: return false
            case .call: return true
            case .wait(let patience): isPatient = waitForOpening(patience)
            }
        }
    }

    private func decide(on posted: HandedOver, _ isPatient: Bool) -> Decision {
        state.withLock { state in
            if let boundary = state.boundary, posted.post.number <= boundary { return .refuse }
            switch state.phase {
            case .open: return .call
            case .ended: return .refuse
            case .closed: break
            case .closing:
                if isPatient, state.runner != CallingThread.number { return .wait(state.patience) }
                // This post timed out, so the observer's calls may be slower than assumed. Later posts wait longer.
                if !isPatient { state.patience = min(2 * state.patience, Self.mostPatience) }
            }
            state.waiting.append(posted)
            return .refuse
        }
    }

    private func waitForOpening(_ patience: Int64) -> Bool {
        var looks = 0
        var seen = progress.load(ordering: .relaxed)
        var since: Int64?
        while boundary.load(ordering: .acquiring) == .max {
            looks += 1
            // Spins at first, because most calls end sooner than a thread can be put to sleep.
            if looks < 1000 { continue }
            let (now, made) = (Moment.now, progress.load(ordering: .relaxed))
            if made != seen { (seen, since) = (made, now) }
            guard now - (since ?? now) < patience else { return false }
            since = since ?? now
            CallingThread.rest()
        }
        return true
    }

    func expect(after boundary: UInt64, handOver: (@Sendable () -> Void)?) {
        // `forgotten` is released after the unlock, because a `deinit` of a notification may post.
        let forgotten = state.withLock { state in
            let waiting = state.waiting
            state.handOver = handOver
            state.boundary = boundary
            if !waiting.isEmpty { state.waiting = waiting.filter { $0.post.number > boundary } }
            return waiting
        }
        withExtendedLifetime(forgotten) {}
    }

    func handOverNow() {
        let handOver = state.withLock { $0.phase == .closed && $0.runner == 0 ? $0.handOver.take() : nil }
        handOver?()
    }

    /// Returns `false` if the hand-over has begun already. Otherwise the caller has to hand over the latest
    /// notification, and then everything that ``takeWaiting()`` returns.
    func begin() -> Bool {
        let (hasBegun, forgotten) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            if state.runner != 0 { return (true, nil) }
            state.runner = CallingThread.number
            return (false, state.handOver.take())
        }
        withExtendedLifetime(forgotten) {}
        return !hasBegun
    }

    func noteCall() { progress.wrappingAdd(1, ordering: .relaxed) }

    /// Removes and returns the queued notifications. If there are none, opens the gate and returns `nil`.
    func takeWaiting() -> [HandedOver]? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.phase = .open
                boundary.store(state.boundary ?? 0, ordering: .releasing)
                return nil
            }
            state.phase = .closing
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    func end() {
        // `forgotten` is released after the unlock, because the release may run a user's `deinit`.
        let forgotten = state.withLock { state in
            state.phase = .ended
            // Not `.max`, so that waiting posts continue and find the phase `ended`. No post has a greater number.
            boundary.store(.max - 1, ordering: .releasing)
            defer { state.waiting = [] }
            return state.waiting
        }
        withExtendedLifetime(forgotten) {}
    }
}
