import Tidings

/// The events of everything that is inspected, until they are taken out, which an inspector does several times a second.
///
/// Posts write to it, so to write is all that is done for each event; the next look takes everything out and makes sense of it.
/// When it is full, posts and deliveries are only counted until then: a person sees no difference between some thousand posts a
/// second and more, and to write them all would take longer than to make them. What is rare, as ends and warnings, has room of
/// its own.
final class EventLog: Sendable {
    /// Something that is kept of an event.
    enum Event: Sendable {
        case posted(NotificationPost)
        case delivered(NotificationDelivery)
        /// The notification of a post in words, told while the post begins.
        case payload(String, NotificationPost.ID)
        /// An observer whose condition has refused the notification of a post.
        case refused(ObserverDescription, NotificationPost.ID)
        /// A delivery that begins to wait, with its number in the queue; `nil` if it is dropped.
        case waits(NotificationDelivery.ID, ObserverDescription, number: Int?)
        case ended(ObserverDescription, ObservationEndReason)
        case warning(ObserverWarning)
        /// What failed, in words: the error itself belongs to a stranger, and may not be released while a lock is held.
        case failed(String, ObserverDescription?)
    }

    /// An event with its time, by the inspector's clock, and the number of what it happened in.
    struct Entry: Sendable {
        let event: Event
        /// Zero for a call in a post, whose time follows from its post. Not in seconds yet: to divide takes as long as to write.
        let elapsed: Duration
        let subject: Int32

        /// The time in seconds.
        var time: Double { elapsed.inSeconds }
    }

    /// What was taken out.
    struct Taken {
        /// The events, in the order in which they were told.
        let entries: [Entry]

        /// What was told in each subject, also what there was no room for.
        let counts: [Counts]
    }

    /// How many posts and how many deliveries were told.
    struct Counts: Sendable {
        var posts = 0, deliveries = 0
    }

    /// The counts of one subject. Relaxed: a number is read when what it counts is long over, or is counted the next time.
    private final class Counters: Sendable {
        let posts = Atomic(0)
        let deliveries = Atomic(0)

        func take() -> Counts {
            Counts(posts: posts.exchange(0, ordering: .relaxed), deliveries: deliveries.exchange(0, ordering: .relaxed))
        }
    }

    private struct Written: Sendable {
        var entries: [Entry] = []
        /// An empty one of full size: to make one takes as long as to write hundreds of events.
        var spare: [Entry] = []
    }

    private let capacity: Int
    private let counters: [Counters]
    private let written = Lock(Written())

    /// Whether there is no room for posts and deliveries. Relaxed: one that is written nevertheless finds room of the rare ones.
    private let full = AtomicByte(false)
    var isFull: Bool { full.load(ordering: .relaxed) }

    /// - Parameters:
    ///   - capacity: How many events it keeps, and as many rare ones.
    ///   - subjects: How many centers and buses they come from.
    init(capacity: Int, subjects: Int) {
        self.capacity = capacity
        counters = (0..<subjects).map { _ in Counters() }
    }

    /// Counts a post, and says whether there is room for it.
    func countPost(in subject: Int32) -> Bool {
        counters[Int(subject)].posts.wrappingAdd(1, ordering: .relaxed)
        return !isFull
    }

    /// Counts a delivery, and says whether there is room for it.
    func countDelivery(in subject: Int32) -> Bool {
        counters[Int(subject)].deliveries.wrappingAdd(1, ordering: .relaxed)
        return !isFull
    }

    /// Writes an event, if there is room.
    func add(_ event: consuming Event, at time: Duration, in subject: Int32) {
        let entry = Entry(event: event, elapsed: time, subject: subject)
        written.withLock { written in
            if written.entries.count >= 2 * capacity { return }
            if written.entries.capacity < capacity { written.entries.reserveCapacity(capacity) }
            written.entries.append(entry)
            if written.entries.count == capacity { full.store(true, ordering: .relaxed) }
        }
    }

    /// Takes everything out.
    ///
    /// - Parameter body: Called with it.
    func drain(_ body: (Taken) -> Void) {
        var taken = written.withLock { written in
            let entries = written.entries
            (written.entries, written.spare) = (written.spare, [])
            full.store(false, ordering: .relaxed)
            return entries
        }
        body(Taken(entries: taken, counts: counters.map { $0.take() }))
        // What the events refer to goes here, and not while the lock is held.
        taken.removeAll(keepingCapacity: true)
        let spare = taken
        written.withLock { $0.spare = spare }
    }
}

/// Writes what happens in one center or bus to a log.
struct LoggingObserver: FollowingMonitor {
    let log: EventLog
    let follows: Bool
    let subject: Int32
    let stopwatch: Stopwatch

    /// What both tiers need that measure. Lengths of queues are looked at instead.
    static let interests: MonitorInterests = [
        .observers, .posts, .deliveries, .durations, .failures, .warnings,
    ]

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

    /// How long a call takes that is rare enough to have the room of what is rare.
    private static let longCall = Duration.milliseconds(10)

    func receive(_ event: NotificationEvent) {
        // What it holds is looked at only if there is no room for all, as it would be copied.
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
            // What waits to be handed over again is seen by looks.
            if failure.retry != nil { return }
            log.add(.failed(failure.shownText.plain, failure.observer), at: stopwatch.elapsed(), in: subject)
        case .registered, .queued, .dropped: break
        @unknown default: break
        }
    }
}

extension NotificationFailure {
    /// The failure in words that hold nothing of the error of an observer but its type, or what that has words for.
    fileprivate var shownText: String {
        guard let observer, let error else { return description }
        return "an observer threw \(shownWords(of: error)): \(observer)"
    }
}

/// The time since it was made, by any clock.
struct Stopwatch: Sendable {
    let elapsed: @Sendable () -> Duration

    init<C: Clock<Duration>>(_ clock: C) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// The time in seconds.
    var seconds: Double { elapsed().inSeconds }
}
