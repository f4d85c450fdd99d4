import Tidings

/// The last posts with what they led to, put together from events.
///
/// A call is told before the post in which it was made, and other calls may be told before or after it. So deliveries wait for
/// their post, and it takes more of them when it is there.
struct PostTrees: Sendable {
    /// A delivery, with when it ended.
    struct Delivered: Sendable {
        let delivery: NotificationDelivery
        let end: Double
    }

    /// A post that has returned, with when it did.
    struct Posted: Sendable {
        let post: NotificationPost
        let subject: Int
        let end: Double
        var known = Parts()
    }

    /// What is known of one post beside itself: as many of its deliveries as are kept, and its payload.
    struct Parts: Sendable {
        static let mostDeliveries = 32
        private(set) var kept: [Delivered] = []
        private(set) var omitted = 0
        var payload: String?

        mutating func add(_ delivered: Delivered) {
            if kept.count < Self.mostDeliveries { kept.append(delivered) } else { omitted += 1 }
        }
    }

    static let most = 512
    private static let mostWaiting = 512

    private var posts: [NotificationPost.ID: Posted] = [:]

    /// The posts in the order in which they were told; a ring, once it is full.
    private var order: [NotificationPost.ID] = []
    private var oldest = 0

    /// What is known of posts that have not been told, and the order in which the first of it came.
    private var waiting: [NotificationPost.ID: Parts] = [:]
    private var arrivals: [NotificationPost.ID] = []

    /// Adds a delivery that has ended.
    mutating func add(_ delivery: NotificationDelivery, at end: Double) {
        add(to: delivery.post) { $0.add(Delivered(delivery: delivery, end: end)) }
    }

    /// Adds the payload of a post.
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

    /// Forgets posts that never come: no monitor was told of them, or they have left the log.
    private mutating func forgetOldest() {
        arrivals.removeAll { waiting[$0] == nil }
        if arrivals.count <= Self.mostWaiting { return }
        for forgotten in arrivals.dropLast(Self.mostWaiting / 2) { waiting[forgotten] = nil }
        arrivals.removeFirst(arrivals.count - Self.mostWaiting / 2)
    }

    /// Adds a post that has returned.
    mutating func add(_ post: NotificationPost, of subject: Int, at end: Double) {
        let known = waiting.removeValue(forKey: post.id) ?? Parts()
        if order.count < Self.most {
            order.append(post.id)
        } else {
            posts[order[oldest]] = nil
            order[oldest] = post.id
            oldest = (oldest + 1) % Self.most
        }
        posts[post.id] = Posted(post: post, subject: subject, end: end, known: known)
    }

    /// The posts, the last one first.
    var newestFirst: [Posted] { (order[oldest...] + order[..<oldest]).reversed().compactMap { posts[$0] } }
}
