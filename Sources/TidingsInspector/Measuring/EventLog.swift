import Tidings

/// The last events of everything that is inspected, in a ring of a fixed size: the newest take the place of the oldest.
///
/// Posts write to it, so to write is all that is done for each event; who looks takes everything out and makes sense of it.
final class EventLog: Sendable {
    /// Something that is kept of an event.
    enum Event: Sendable {
        case posted(NotificationPost)
        case delivered(NotificationDelivery)
        /// The notification of a post in words, told while the post begins.
        case payload(String, NotificationPost.ID)
        case ended(ObserverDescription, EndReason)
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
        fileprivate let ring: [Entry]
        fileprivate let oldest: Int

        /// The events, in the order in which they were told.
        var entries: some Sequence<Entry> {
            let (older, newer) = (ring[oldest...], ring[..<oldest])
            return [older, newer].joined()
        }

        /// How many events they are.
        var count: Int { ring.count }

        /// What was told in each subject, also what newer events have pushed out.
        let counts: [Counts]
    }

    /// How many posts and how many deliveries were told.
    struct Counts: Sendable {
        var posts = 0, deliveries = 0
    }

    private struct Ring: Sendable {
        var entries: [Entry] = []
        /// Where the next one goes, once the ring is full.
        var next = 0
        var counts: [Counts]
        /// An empty one of full size: to make one takes as long as to write hundreds of events.
        var spare: [Entry] = []
    }

    private let capacity: Int
    private let subjects: Int
    private let ring: Lock<Ring>

    /// - Parameters:
    ///   - capacity: How many events it keeps.
    ///   - subjects: How many centers and buses they come from.
    init(capacity: Int, subjects: Int) {
        self.capacity = capacity
        self.subjects = subjects
        ring = Lock(Ring(counts: Array(repeating: Counts(), count: subjects)))
    }

    /// Writes an event.
    @inline(__always)
    func add(_ event: consuming Event, at time: Duration, in subject: Int32) {
        let entry = Entry(event: event, elapsed: time, subject: subject)
        ring.withLock { ring in
            switch entry.event {
            case .posted: ring.counts[Int(subject)].posts += 1
            case .delivered: ring.counts[Int(subject)].deliveries += 1
            default: break
            }
            if ring.entries.count < capacity {
                if ring.entries.capacity < capacity { ring.entries.reserveCapacity(capacity) }
                ring.entries.append(entry)
            } else {
                ring.entries[ring.next] = entry
                ring.next = ring.next + 1 == capacity ? 0 : ring.next + 1
            }
        }
    }

    /// Takes everything out.
    ///
    /// - Parameter body: Called with it.
    func drain(_ body: (Taken) -> Void) {
        var full = ring.withLock { ring in
            let full = (entries: ring.entries, oldest: ring.next, counts: ring.counts)
            (ring.entries, ring.spare, ring.next) = (ring.spare, [], 0)
            ring.counts = Array(repeating: Counts(), count: subjects)
            return full
        }
        body(Taken(ring: full.entries, oldest: full.oldest, counts: full.counts))
        // What the events refer to goes here, and not while the lock is held.
        full.entries.removeAll(keepingCapacity: true)
        let spare = full.entries
        ring.withLock { $0.spare = spare }
    }
}

/// Writes what happens in one center or bus to a log.
struct LoggingObserver: PayloadMonitor {
    let log: EventLog
    let takesPayloads: Bool
    let subject: Int32
    let stopwatch: Stopwatch

    /// What both tiers need that measure. Lengths of queues are looked at instead.
    static let interests: MonitorInterests = [
        .observers, .posts, .deliveries, .durations, .failures, .warnings,
    ]

    var interests: MonitorInterests { Self.interests }

    func receive(payload: String, of post: NotificationPost.ID) {
        log.add(.payload(payload.plain, post), at: .zero, in: subject)
    }

    func receive(_ event: NotificationEvent) {
        switch event {
        case .delivered(let delivery):
            let time = delivery.observer.delivery.isInPost ? .zero : stopwatch.elapsed()
            log.add(.delivered(delivery), at: time, in: subject)
        case .posted(let post): log.add(.posted(post), at: stopwatch.elapsed(), in: subject)
        case .ended(let observer, let reason): log.add(.ended(observer, reason), at: stopwatch.elapsed(), in: subject)
        case .warning(let warning): log.add(.warning(warning), at: stopwatch.elapsed(), in: subject)
        case .failed(let failure):
            log.add(.failed(failure.description.plain, failure.observer), at: stopwatch.elapsed(), in: subject)
        case .registered, .queued, .dropped: break
        @unknown default: break
        }
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
