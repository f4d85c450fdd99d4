import Tidings

struct TypeKey: Hashable, Sendable {
    let subject: Int
    let type: NotificationSubject

    /// Replaces an internal type, such as `DurableDelivery<N>`, with the type of the notification, `N`.
    init(subject: Int, type: NotificationSubject) {
        self.subject = subject
        self.type = type.ofProgram
    }
}

struct Measured: Sendable {
    struct OfType: Sendable {
        var posts = Durations(), calls = Durations(), waits = Durations()
        var unobserved = 0
        var unobservedAt: SourcePlace?
        private(set) var places: [SourcePlace: Int] = [:]
        private static let mostPlaces = 32

        mutating func add(_ post: NotificationPost) {
            if let duration = post.duration { posts.add(duration.inSeconds) }
            if post.observers == 0 { (unobserved, unobservedAt) = (unobserved + 1, post.place) }
            guard let place = post.place, places.count < Self.mostPlaces || places[place] != nil else { return }
            places[place, default: 0] += 1
        }

        var postedAt: SourcePlace? { places.max { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }?.key }
    }

    struct OfObserver: Sendable {
        var calls = Durations(), waits = Durations()
        var refused = 0
        private(set) var last: [Call] = []
        private static let mostLast = 8
        /// Whether all of the observer's calls and rejections are counted. An observer that was omitted while
        /// `Measured.observers` was full can be added later.
        let isWhole: Bool

        init(isWhole: Bool = true) { self.isWhole = isWhole }

        var means: (calls: Double, callTime: Double, waitTime: Double) {
            (Double(calls.count), calls.mean, waits.mean)
        }

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

    struct Call: Sendable {
        let delivery: NotificationDelivery.ID
        /// `nil` for a call in a post, because the log doesn't store its time.
        let end: Double?
        let waited, duration: Double?

        func row(of observer: String, start: Double) -> InspectorSnapshot.Call {
            InspectorSnapshot.Call(
                observer: observer, delivery: "\(delivery)", time: end.map { start + $0 }, waited: waited,
                duration: duration)
        }
    }

    private static let mostTypes = 1000
    private static let mostObservers = 10_000

    /// The time at which the measurement began.
    let began: Double
    private(set) var types: [TypeKey: OfType] = [:]
    private(set) var observers: [ObserverDescription.ID: OfObserver] = [:]
    /// Whether `observers` lacks an observer because it was full. It stays incomplete when observers end.
    private var isIncomplete = false
    private(set) var counts: [EventLog.Counts]
    private(set) var trees: PostTrees?
    private(set) var followed = 0
    private(set) var cycles = PostCycles()

    init(subjects: Int, isFollowing: Bool, began: Double) {
        self.began = began
        counts = Array(repeating: EventLog.Counts(), count: subjects)
        if isFollowing { trees = PostTrees() }
    }

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
        if observers.count >= Self.mostObservers, observers[id] == nil {
            isIncomplete = true
            return
        }
        // The value is removed from `observers` while it changes, so that changing its arrays doesn't copy them.
        var known = observers.removeValue(forKey: id) ?? OfObserver(isWhole: !isIncomplete)
        change(&known)
        observers[id] = known
    }

    /// Returns `nil` if the observer may have been called without being recorded.
    func calls(of observer: ObserverDescription.ID) -> Int? { whole(observer)?.calls.count }

    /// Returns `nil` if the observer's condition may have rejected a notification without being recorded.
    func refusals(by observer: ObserverDescription.ID) -> Int? { whole(observer)?.refused }

    private func whole(_ observer: ObserverDescription.ID) -> OfObserver? {
        let known = observers[observer] ?? OfObserver(isWhole: !isIncomplete)
        return known.isWhole ? known : nil
    }

    private mutating func withType(_ key: TypeKey, _ add: (inout OfType) -> Void) {
        if types.count >= Self.mostTypes, types[key] == nil { return }
        add(&types[key, default: OfType()])
    }
}
