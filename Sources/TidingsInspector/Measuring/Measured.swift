import Tidings

/// A notification type in one of the things that are inspected.
struct TypeKey: Hashable, Sendable {
    let subject: Int
    let type: NotificationSubject

    /// - Parameters:
    ///   - subject: The number of what is inspected.
    ///   - type: The type; of a step of the package's own, as the delivery to a durable observer is, the type that it is about counts.
    init(subject: Int, type: NotificationSubject) {
        self.subject = subject
        self.type = type.ofProgram
    }
}

/// What was measured since an inspector last began to: how long posts, calls and waits took, and the last posts.
struct Measured: Sendable {
    /// The durations of a type.
    struct OfType: Sendable {
        var posts = Durations(), calls = Durations(), waits = Durations()

        /// How many of the posts called nobody, and where the last one of them was made.
        var unobserved = 0
        var unobservedAt: SourcePlace?

        /// How many posts were made by which line, of some lines.
        private(set) var places: [SourcePlace: Int] = [:]
        private static let mostPlaces = 32

        /// Notes a post.
        mutating func add(_ post: NotificationPost) {
            if let duration = post.duration { posts.add(duration.inSeconds) }
            if post.observers == 0 { (unobserved, unobservedAt) = (unobserved + 1, post.place) }
            guard let place = post.place, places.count < Self.mostPlaces || places[place] != nil else { return }
            places[place, default: 0] += 1
        }

        /// The line that made most posts.
        var postedAt: SourcePlace? { places.max { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }?.key }
    }

    /// The durations of an observer.
    struct OfObserver: Sendable {
        var calls = Durations(), waits = Durations()

        /// How many notifications its condition refused; known of posts that are followed.
        var refused = 0

        /// The last calls, the last one last.
        private(set) var last: [Call] = []
        private static let mostLast = 8

        mutating func add(_ other: OfObserver) {
            calls.add(other.calls)
            waits.add(other.waits)
            refused += other.refused
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

    /// The posts that lead to themselves again.
    private(set) var cycles = PostCycles()

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
                withType(TypeKey(subject: Int(entry.subject), type: post.subject)) { $0.add(post) }
                cycles.add(post, of: Int(entry.subject), at: entry.time)
                trees?.add(post, of: Int(entry.subject), at: entry.time)
            case .delivered(let delivery):
                add(delivery, in: Int(entry.subject), at: entry.time)
                trees?.add(delivery, at: entry.time)
            case .payload(let text, let post): trees?.add(payload: text, of: post)
            case .refused(let observer, let post):
                withObserver(observer.id) { $0.refused += 1 }
                trees?.add(refusalBy: observer, of: post)
            case .waits(let delivery, let observer, let number):
                trees?.add(waiting: delivery, for: observer, number: number, at: entry.time)
            case .ended(let observer, _): observers[observer.id] = nil
            case .warning, .failed: break
            }
        }
        cycles.look()
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
        withObserver(delivery.observer.id) { known in
            if let call { known.calls.add(call) }
            if let wait { known.waits.add(wait) }
            known.add(
                Call(
                    delivery: delivery.id, end: delivery.observer.delivery.isInPost ? nil : time, waited: wait,
                    duration: call))
        }
    }

    private mutating func withObserver(_ id: ObserverDescription.ID, _ change: (inout OfObserver) -> Void) {
        if !hasRoom, observers[id] == nil { return }
        // Taken out, as a copy would be made of what is changed.
        var known = observers.removeValue(forKey: id) ?? OfObserver()
        change(&known)
        observers[id] = known
    }

    /// Whether there is room for more observers, so that one of which nothing was measured was not called.
    var hasRoom: Bool { observers.count < Self.mostObservers }

    /// How many calls of an observer that runs in the post were measured; `nil` if that can't be said.
    func calls(of observer: ObserverDescription.ID) -> Int? {
        observers[observer]?.calls.count ?? (hasRoom ? 0 : nil)
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
