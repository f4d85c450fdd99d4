import Tidings

struct PostTrees: Sendable {
    struct Delivered: Sendable {
        let delivery: NotificationDelivery
        let end: Double
    }

    struct Posted: Sendable {
        let post: NotificationPost
        let subject: Int
        let end: Double
        var known = Parts()
    }

    struct Parts: Sendable {
        static let mostDeliveries = 32
        static let mostCalled = 4096
        private(set) var kept: [Delivered] = []
        private(set) var omitted = 0
        var payload: String?
        /// Queued deliveries that haven't ended, and dropped ones. Deliveries that were never queued have no `number`.
        private(set) var waiting: [Waiting] = []
        /// The observers of all reported deliveries. `kept` and `waiting` store only some of these deliveries.
        private(set) var called: Set<ObserverDescription.ID> = []
        private(set) var refused: [ObserverDescription] = []
        var isIncomplete = false

        mutating func add(_ delivered: Delivered) {
            waiting.removeAll { $0.id == delivered.delivery.id }
            if kept.count < Self.mostDeliveries { kept.append(delivered) } else { omitted += 1 }
            noteCall(of: delivered.delivery.observer.id)
        }

        mutating func add(_ new: Waiting) {
            noteCall(of: new.observer.id)
            if waiting.count < Self.mostDeliveries { waiting.append(new) } else { isIncomplete = true }
        }

        mutating func add(refusalBy observer: ObserverDescription) {
            if refused.count < Self.mostCalled { refused.append(observer) } else { isIncomplete = true }
        }

        private mutating func noteCall(of observer: ObserverDescription.ID) {
            if called.count < Self.mostCalled { called.insert(observer) } else { isIncomplete = true }
        }
    }

    struct Waiting: Sendable {
        let id: NotificationDelivery.ID
        let observer: ObserverDescription
        let number: Int?
        let since: Double
    }

    static let most = 512
    private static let slack = 128
    private static let mostWaiting = 512

    private var posts: [NotificationPost.ID: Posted] = [:]
    private var order: [NotificationPost.ID] = []
    /// Parts of posts that haven't been reported yet. For example, a call in a post is reported before the post.
    private var waiting: [NotificationPost.ID: Parts] = [:]
    private var arrivals: [NotificationPost.ID] = []

    mutating func add(_ delivery: NotificationDelivery, at end: Double) {
        add(to: delivery.post) { $0.add(Delivered(delivery: delivery, end: end)) }
    }

    mutating func add(
        waiting delivery: NotificationDelivery.ID, for observer: ObserverDescription, number: Int?, at time: Double
    ) {
        add(to: delivery.post) { $0.add(Waiting(id: delivery, observer: observer, number: number, since: time)) }
    }

    mutating func add(refusalBy observer: ObserverDescription, of post: NotificationPost.ID) {
        add(to: post) { $0.add(refusalBy: observer) }
    }

    mutating func add(payload: String, of post: NotificationPost.ID) { add(to: post) { $0.payload = payload } }

    private mutating func add(to post: NotificationPost.ID, _ part: (inout Parts) -> Void) {
        if var posted = posts.removeValue(forKey: post) {
            part(&posted.known)
            posts[post] = posted
            return
        }
        if waiting[post] == nil {
            arrivals.append(post)
            if arrivals.count > 2 * Self.mostWaiting { forgetOldest() }
        }
        part(&waiting[post, default: Parts()])
    }

    /// Bounds `waiting`, because a post may never be reported, for example if the log was full.
    private mutating func forgetOldest() {
        arrivals.removeAll { waiting[$0] == nil }
        if arrivals.count <= Self.mostWaiting { return }
        for forgotten in arrivals.dropLast(Self.mostWaiting / 2) { waiting[forgotten] = nil }
        arrivals.removeFirst(arrivals.count - Self.mostWaiting / 2)
    }

    mutating func add(_ post: NotificationPost, of subject: Int, at end: Double) {
        var known = waiting.removeValue(forKey: post.id) ?? Parts()
        if known.called.count < post.observers { known.isIncomplete = true }
        posts[post.id] = Posted(post: post, subject: subject, end: end, known: known)
        order.append(post.id)
        guard order.count >= Self.most + Self.slack else { return }
        let kept = Set(newestFirst(Self.most).map(\.post.id))
        for id in order where !kept.contains(id) { posts[id] = nil }
        order.removeAll { !kept.contains($0) }
    }

    func post(_ id: NotificationPost.ID) -> Posted? { posts[id] }

    /// Returns up to `count` posts. A quarter is reserved for posts without a cause, an effect or a queued delivery.
    func newestFirst(_ count: Int) -> [Posted] {
        let all = order.reversed().compactMap { posts[$0] }
        if all.count <= count { return all }
        var causes = Set<NotificationPost.ID>()
        for posted in all { if let cause = posted.post.cause { causes.insert(cause.post) } }
        func isLinked(_ posted: Posted) -> Bool {
            posted.post.cause != nil || causes.contains(posted.post.id) || !posted.known.waiting.isEmpty
        }
        let linked = all.count(where: isLinked)
        var places = (linked: min(linked, count - count / 4), others: 0)
        places.others = count - places.linked
        places.linked += max(0, places.others - (all.count - linked))
        return all.filter { posted in
            if isLinked(posted) {
                places.linked -= 1
                return places.linked >= 0
            }
            places.others -= 1
            return places.others >= 0
        }
    }
}
