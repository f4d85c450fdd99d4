import Tidings

/// A notification type in one of the things that are inspected.
struct TypeKey: Hashable, Sendable {
    let subject: Int
    let type: NotificationSubject
}

/// What was measured since an inspector last began to: how long posts, calls and waits took, and the last posts.
struct Measured: Sendable {
    /// The durations of a type.
    struct OfType: Sendable {
        var posts = Durations(), calls = Durations(), waits = Durations()
    }

    /// The durations of an observer.
    struct OfObserver: Sendable {
        var calls = Durations(), waits = Durations()

        /// The last calls, the last one last.
        private(set) var last: [Call] = []
        private static let mostLast = 8

        mutating func add(_ other: OfObserver) {
            calls.add(other.calls)
            waits.add(other.waits)
        }

        mutating func add(_ call: Call) {
            if last.count == Self.mostLast { last.removeFirst() }
            last.append(call)
        }
    }

    /// A call that has ended.
    struct Call: Sendable {
        let delivery: NotificationDelivery.ID
        /// When it ended; `nil` for a call in a post, of which the post says so.
        let end: Double?
        let waited, duration: Double?

        func row(of observer: String, start: Double) -> InspectorSnapshot.Call {
            InspectorSnapshot.Call(
                observer: observer, delivery: "\(delivery)", time: end.map { start + $0 }, waited: waited,
                duration: duration)
        }
    }

    /// How many types and observers there are durations of, so that their memory is bounded.
    private static let mostTypes = 1000
    private static let mostObservers = 10_000

    private(set) var types: [TypeKey: OfType] = [:]
    private(set) var observers: [ObserverDescription.ID: OfObserver] = [:]

    /// How many posts and deliveries there were in each subject.
    private(set) var counts: [EventLog.Counts]

    /// The posts, if they are followed.
    private(set) var trees: PostTrees?

    /// How many posts were told while they were followed.
    private(set) var followed = 0

    /// - Parameters:
    ///   - subjects: How many centers and buses there are.
    ///   - isFollowing: Whether posts are kept.
    init(subjects: Int, isFollowing: Bool) {
        counts = Array(repeating: EventLog.Counts(), count: subjects)
        if isFollowing { trees = PostTrees() }
    }

    /// Adds what was taken from the log: all but what a ``Ledger`` notes.
    mutating func add(_ taken: EventLog.Taken) {
        for (subject, more) in taken.counts.enumerated() {
            counts[subject].posts += more.posts
            counts[subject].deliveries += more.deliveries
            if trees != nil { followed += more.posts }
        }
        for entry in taken.entries {
            switch entry.event {
            case .posted(let post):
                if let duration = post.duration {
                    withType(TypeKey(subject: Int(entry.subject), type: post.subject)) {
                        $0.posts.add(duration.inSeconds)
                    }
                }
                trees?.add(post, of: Int(entry.subject), at: entry.time)
            case .delivered(let delivery):
                add(delivery, in: Int(entry.subject), at: entry.time)
                trees?.add(delivery, at: entry.time)
            case .payload(let text, let post): trees?.add(payload: text, of: post)
            case .refused(let observer, let post): trees?.add(refusalBy: observer, of: post)
            case .waits(let delivery, let observer, let number):
                trees?.add(waiting: delivery, for: observer, number: number, at: entry.time)
            case .ended(let observer, _): observers[observer.id] = nil
            case .warning, .failed: break
            }
        }
    }

    /// Forgets the posts that were followed.
    mutating func stopFollowing() {
        trees = nil
        followed = 0
    }

    private mutating func add(_ delivery: NotificationDelivery, in subject: Int, at time: Double) {
        let call = delivery.duration?.inSeconds
        let wait = delivery.waited?.inSeconds
        withType(TypeKey(subject: subject, type: delivery.observer.subject)) { type in
            if let call { type.calls.add(call) }
            if let wait { type.waits.add(wait) }
        }
        let id = delivery.observer.id
        if observers.count >= Self.mostObservers, observers[id] == nil { return }
        var known = observers.removeValue(forKey: id) ?? OfObserver()
        if let call { known.calls.add(call) }
        if let wait { known.waits.add(wait) }
        known.add(
            Call(
                delivery: delivery.id, end: delivery.observer.delivery.isInPost ? nil : time, waited: wait,
                duration: call))
        observers[id] = known
    }

    /// How many calls of an observer were measured, and how long calls and waits took in the mean, for sorting.
    func means(of observer: ObserverDescription.ID) -> (calls: Double, callTime: Double, waitTime: Double) {
        guard let times = observers[observer] else { return (0, 0, 0) }
        return (Double(times.calls.count), times.calls.mean, times.waits.mean)
    }

    private mutating func withType(_ key: TypeKey, _ add: (inout OfType) -> Void) {
        if types.count >= Self.mostTypes, types[key] == nil { return }
        add(&types[key, default: OfType()])
    }
}
