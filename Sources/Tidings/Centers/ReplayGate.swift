import TidingsEngine

/// Stands before an observer of a type that is replayed, and lets it have each notification once.
///
/// The gate is closed when the observer is registered. The registration looks up the latest notification, and how many posts
/// there were at that moment: the posts up to that number are not for the observer, all others are. While the gate is closed,
/// what is posted waits. The registration hands over the latest notification and then what has waited for the end of that, one at
/// a time. When nothing waits any more the gate opens, and from then on posts call the observer themselves.
///
/// So that it opens however fast others post, and what waits does not grow without bound, those that post while the gate is
/// *closing* wait themselves: from when the registration has taken out what waited until it has handed that over. They do not wait
/// for ever, as the observer may wait for one of them: who has waited in vain leaves what it posts to the registration, and so does
/// a post by the observer itself.
///
/// It does not know the type, as code that is generic at run time looks types up at each step; and it does not refer to the
/// observer. So a registration that has yet to hand something over keeps nothing alive that a cancelled observer captured.
@usableFromInline
final class ReplayGate: Sendable {
    private enum Phase {
        /// What is posted waits.
        case closed
        /// What waited is being handed over.
        case closing
        case open
        /// The observer has ended.
        case ended
    }

    private struct State: Sendable {
        var phase = Phase.closed
        /// Hands over, where the thread that posts may do it; `nil` when it was called.
        var handOver: (@Sendable () -> Void)?
        /// How many posts there were when the latest notification was looked up.
        var boundary: UInt64?
        /// What was posted while the gate was closed. Once the boundary is known, all of it is for the observer.
        var waiting: [HandedOver] = []
        /// The thread that hands over; 0 if none has begun.
        var runner: UInt = 0
        /// How long a post waits for one call to end, in nanoseconds.
        var patience: Int64 = 1_000_000
    }

    /// How long a post waits at most for one call of the observer to end, in nanoseconds.
    private static let mostPatience: Int64 = 100_000_000

    private let state = Lock(State())

    /// The number of the last post that is not for the observer; the greatest number while the gate is closed.
    ///
    /// The release store, when nothing waits, is paired with the acquire load of posts: what the observer did with the last one
    /// that waited comes before.
    @usableFromInline let boundary = Atomic<UInt64>(.max)

    /// How many calls the registration has made. Relaxed: posts that wait only look whether it changes.
    private let progress = Atomic<UInt64>(0)

    @usableFromInline
    init() {}

    /// Whether the gate is open, and a post is for the observer.
    ///
    /// - Parameter number: The number of the post.
    /// - Returns: Whether it calls the observer; if not, it has to ask what becomes of it.
    @export(implementation)
    func isOpen(to number: UInt64) -> Bool { number > boundary.load(ordering: .acquiring) }

    // MARK: - Posts

    /// What becomes of a notification that is posted.
    private enum Decision {
        /// It is not for the observer, or the registration hands it over.
        case refuse
        case call
        /// The post waits, for no longer than so many nanoseconds for one call.
        case wait(Int64)
    }

    /// Decides what becomes of a notification that is posted, and waits until that is known.
    ///
    /// - Parameter posted: The notification.
    /// - Returns: Whether the post calls the observer. If not, the notification is not for the observer, or the registration
    ///   hands it over.
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
                // Others that post wait longer: it may be that a call just takes so long.
                if !isPatient { state.patience = min(2 * state.patience, Self.mostPatience) }
            }
            state.waiting.append(posted)
            return .refuse
        }
    }

    /// Waits until the gate opens.
    ///
    /// - Returns: Whether to go on waiting, if it has not opened; false if no call has ended for too long.
    private func waitForOpening(_ patience: Int64) -> Bool {
        var looks = 0
        var seen = progress.load(ordering: .relaxed)
        var since: Int64?
        while boundary.load(ordering: .acquiring) == .max {
            looks += 1
            // Most calls are over sooner than a thread falls asleep.
            if looks < 1000 { continue }
            let (now, made) = (Moment.now, progress.load(ordering: .relaxed))
            if made != seen { (seen, since) = (made, now) }
            guard now - (since ?? now) < patience else { return false }
            since = since ?? now
            CallingThread.rest()
        }
        return true
    }

    // MARK: - The registration

    /// Sets what is for the observer, and forgets what waits and is not.
    ///
    /// - Parameters:
    ///   - boundary: How many posts there were when the latest notification was looked up.
    ///   - handOver: What ``handOverNow()`` calls; `nil` if only the registration hands over.
    func expect(after boundary: UInt64, handOver: (@Sendable () -> Void)?) {
        // Released after the lock: the release of a notification may run a user's `deinit`, which may post.
        let forgotten = state.withLock { state in
            let waiting = state.waiting
            state.handOver = handOver
            state.boundary = boundary
            if !waiting.isEmpty { state.waiting = waiting.filter { $0.post.number > boundary } }
            return waiting
        }
        withExtendedLifetime(forgotten) {}
    }

    /// Hands over what there is, if that is known and nobody has begun.
    func handOverNow() {
        let handOver = state.withLock { $0.phase == .closed && $0.runner == 0 ? $0.handOver.take() : nil }
        handOver?()
    }

    /// Begins to hand over, unless another caller has begun.
    ///
    /// - Returns: Whether the caller has to hand over the latest notification, and then all that ``takeWaiting()`` returns.
    func begin() -> Bool {
        let (hasBegun, forgotten) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            if state.runner != 0 { return (true, nil) }
            state.runner = CallingThread.number
            return (false, state.handOver.take())
        }
        withExtendedLifetime(forgotten) {}
        return !hasBegun
    }

    /// Notes that the observer was called once.
    func noteCall() { progress.wrappingAdd(1, ordering: .relaxed) }

    /// Takes out what waits, in the order of its posts.
    ///
    /// - Returns: It; `nil` if there is nothing. Then the gate is open.
    func takeWaiting() -> [HandedOver]? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.phase = .open
                boundary.store(state.boundary ?? 0, ordering: .releasing)
                return nil
            }
            state.phase = .closing
            var waiting: [HandedOver] = []
            swap(&waiting, &state.waiting)
            return waiting
        }
    }

    /// Forgets what waits, as the observer has ended.
    func end() {
        // Released after the lock, as above.
        let forgotten = state.withLock { state in
            state.phase = .ended
            // Posts that wait stop waiting, and ask again.
            boundary.store(.max - 1, ordering: .releasing)
            var waiting: [HandedOver] = []
            swap(&waiting, &state.waiting)
            return waiting
        }
        withExtendedLifetime(forgotten) {}
    }
}
