import Tidings

/// A log of events. Posting threads write the events, and ``drain(_:)`` processes them later. While the log is full,
/// posts and deliveries are only counted. Rare events, such as warnings, have additional room.
final class EventLog: Sendable {
    enum Event: Sendable {
        case posted(NotificationPost)
        case delivered(NotificationDelivery)
        case payload(String, NotificationPost.ID)
        case refused(ObserverDescription, NotificationPost.ID)
        /// `number` counts the deliveries that the queue has received so far. It is `nil` if this one wasn't queued.
        case waits(NotificationDelivery.ID, ObserverDescription, number: Int?)
        case ended(ObserverDescription, ObservationEndReason)
        case warning(ObserverWarning)
        /// Contains the error's description, because releasing the error itself under a lock could run foreign code.
        case failed(String, ObserverDescription?)
    }

    struct Entry: Sendable {
        let event: Event
        /// The time by the inspector's clock, or zero for a payload, a rejection, or a delivery in the post. The time
        /// isn't converted to seconds here, because a division would take as long as writing the event.
        let elapsed: Duration
        let subject: Int32

        var time: Double { elapsed.inSeconds }
    }

    /// The counts include events that didn't fit in the log.
    typealias Taken = (entries: [Entry], counts: [Counts])

    struct Counts: Sendable {
        var posts = 0, deliveries = 0
    }

    /// Relaxed accesses suffice, because an event that one `take` misses is counted by the next.
    private final class Counters: Sendable {
        let posts = Atomic(0)
        let deliveries = Atomic(0)

        func take() -> Counts {
            Counts(posts: posts.exchange(0, ordering: .relaxed), deliveries: deliveries.exchange(0, ordering: .relaxed))
        }
    }

    private let capacity: Int
    private let counters: [Counters]
    /// `spare` is an empty array with full capacity. A new array would take as long as writing hundreds of events.
    private let written = Lock((entries: [Entry](), spare: [Entry]()))

    /// Relaxed accesses suffice: an event that is written although the log is full uses the room for rare events.
    private let full = AtomicByte(false)
    var isFull: Bool { full.load(ordering: .relaxed) }

    /// `capacity` is the number of events that the log stores, in addition to the same number of rare events.
    init(capacity: Int, subjects: Int) {
        self.capacity = capacity
        counters = (0..<subjects).map { _ in Counters() }
    }

    func countPost(in subject: Int32) -> Bool {
        counters[Int(subject)].posts.wrappingAdd(1, ordering: .relaxed)
        return !isFull
    }

    func countDelivery(in subject: Int32) -> Bool {
        counters[Int(subject)].deliveries.wrappingAdd(1, ordering: .relaxed)
        return !isFull
    }

    func add(_ event: consuming Event, at time: Duration, in subject: Int32) {
        let entry = Entry(event: event, elapsed: time, subject: subject)
        written.withLock { written in
            if written.entries.count >= 2 * capacity { return }
            if written.entries.capacity < capacity { written.entries.reserveCapacity(capacity) }
            written.entries.append(entry)
            if written.entries.count == capacity { full.store(true, ordering: .relaxed) }
        }
    }

    func drain(_ body: (Taken) -> Void) {
        var taken = written.withLock { written in
            let entries = written.entries
            (written.entries, written.spare) = (written.spare, [])
            full.store(false, ordering: .relaxed)
            return entries
        }
        body((taken, counters.map { $0.take() }))
        // The objects to which the events refer are released here, where no lock is held.
        taken.removeAll(keepingCapacity: true)
        let spare = taken
        written.withLock { $0.spare = spare }
    }
}

struct LoggingObserver: FollowingMonitor {
    let log: EventLog
    let follows: Bool
    let subject: Int32
    let stopwatch: Stopwatch

    /// `.queues` is missing, because the inspector reads the length of each queue when it takes a snapshot.
    var interests: MonitorInterests { [.observers, .posts, .deliveries, .durations, .failures, .warnings] }

    func receive(payload: String, of post: NotificationPost.ID) {
        if log.isFull { return }
        log.add(.payload(payload.plain, post), at: .zero, in: subject)
    }

    func receive(refusalBy observer: ObserverDescription, of post: NotificationPost.ID) {
        if log.isFull { return }
        log.add(.refused(observer, post), at: .zero, in: subject)
    }

    func receive(waiting delivery: NotificationDelivery.ID, for observer: ObserverDescription, number: Int?) {
        if log.isFull { return }
        log.add(.waits(delivery, observer, number: number), at: stopwatch.elapsed(), in: subject)
    }

    /// A call that takes at least this long counts as a rare event.
    private static let longCall = Duration.milliseconds(10)

    func receive(_ event: NotificationEvent) {
        // An event that doesn't fit is skipped before the call of `write`, because `write` copies the associated value.
        switch event {
        case .delivered(let delivery):
            if !log.countDelivery(in: subject), delivery.duration.map({ $0 < Self.longCall }) ?? true { return }
        case .posted: if !log.countPost(in: subject) { return }
        default: break
        }
        write(event)
    }

    @inline(never)
    private func write(_ event: NotificationEvent) {
        switch event {
        case .delivered(let delivery):
            let time = delivery.observer.delivery.isInPost ? .zero : stopwatch.elapsed()
            log.add(.delivered(delivery), at: time, in: subject)
        case .posted(let post): log.add(.posted(post), at: stopwatch.elapsed(), in: subject)
        case .ended(let observer, let reason): log.add(.ended(observer, reason), at: stopwatch.elapsed(), in: subject)
        case .warning(let warning): log.add(.warning(warning), at: stopwatch.elapsed(), in: subject)
        case .failed(let failure):
            // Failures that are retried aren't written, because each snapshot reads their number.
            if failure.retry != nil { return }
            log.add(.failed(failure.shownText.plain, failure.observer), at: stopwatch.elapsed(), in: subject)
        case .registered, .queued, .dropped: break
        @unknown default: break
        }
    }
}

extension NotificationFailure {
    /// The text for a failure. It contains the `tidingsDescription` of an observer's error, or only the error's type.
    fileprivate var shownText: String {
        guard let observer, let error else { return description }
        return "an observer threw \(shownWords(of: error)): \(observer)"
    }
}

struct Stopwatch: Sendable {
    let elapsed: @Sendable () -> Duration
    let origin: @Sendable () -> ContinuousClock.Instant

    init<C: Clock<Duration>>(_ clock: C) {
        let start = clock.now
        let elapsed: @Sendable () -> Duration = { start.duration(to: clock.now) }
        self.elapsed = elapsed
        if let start = start as? ContinuousClock.Instant {
            origin = { start }
        } else {
            origin = { Self.zero(of: elapsed) }
        }
    }

    var seconds: Double { elapsed().inSeconds }

    /// Reads both clocks several times, because the thread may be preempted between two readings. Uses the pair of
    /// readings with the shortest time between them.
    private static func zero(of elapsed: () -> Duration) -> ContinuousClock.Instant {
        var closest = (gap: Duration.seconds(Int64.max), zero: ContinuousClock.now)
        for _ in 0..<5 {
            let before = ContinuousClock.now
            let passed = elapsed()
            let gap = before.duration(to: .now)
            if gap < closest.gap { closest = (gap, before - passed) }
        }
        return closest.zero
    }
}
