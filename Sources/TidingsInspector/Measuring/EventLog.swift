import Tidings

/// A posting thread only writes events, and `drain` processes them later. While the log is full, posts and deliveries
/// are counted but not written. Rare events have additional room.
final class EventLog: Sendable {
    enum Event: Sendable {
        case posted(NotificationPost)
        case delivered(NotificationDelivery)
        case payload(String, NotificationPost.ID)
        case refused(ObserverDescription, NotificationPost.ID)
        /// `number` counts all deliveries of the queue up to this one. It is `nil` for a dropped delivery.
        case waits(NotificationDelivery.ID, ObserverDescription, number: Int?)
        case ended(ObserverDescription, ObservationEndReason)
        case warning(ObserverWarning)
        /// Contains a description, because releasing the error itself under a lock could run foreign code.
        case failed(String, ObserverDescription?)
    }

    struct Entry: Sendable {
        let event: Event
        /// The time by the inspector's clock, or zero for an event inside a post. It isn't converted to seconds here,
        /// because the division would take as long as writing the event.
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
    /// `spare` is an empty array with full capacity. Allocating a new one takes as long as writing hundreds of events.
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

    /// `.queues` is missing, because inspections read the queues.
    static let interests: MonitorInterests = [.observers, .posts, .deliveries, .durations, .failures, .warnings]

    var interests: MonitorInterests { Self.interests }

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
        // An event that doesn't fit is skipped here and not in `write`, because `write` copies the associated value.
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
            // Failures with a retry aren't written, because inspections report them.
            if failure.retry != nil { return }
            log.add(.failed(failure.shownText.plain, failure.observer), at: stopwatch.elapsed(), in: subject)
        case .registered, .queued, .dropped: break
        @unknown default: break
        }
    }
}

extension NotificationFailure {
    /// An observer's error is shown by its `tidingsDescription`, or else only by its type.
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

    /// Reads both clocks several times and uses the closest pair, because a preemption can separate two readings.
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
