import Tidings

extension PostTrees {
    /// How many posts a snapshot has at most, and how many deliveries they have together.
    private static let mostRows = 200
    private static let mostDeliveries = 1000

    /// The last posts as a snapshot has them.
    ///
    /// - Parameters:
    ///   - names: The names of the centers and buses.
    ///   - start: When the inspector's clock was at zero.
    ///   - owner: The owner of an observer in words.
    /// - Returns: The posts, the last one first.
    func rows(names: [String], start: Double, owner: (ObserverDescription.ID) -> String?) -> [Snapshot.Post] {
        var left = Self.mostDeliveries
        return newestFirst.prefix(Self.mostRows).map { posted in
            let post = posted.post
            let began = posted.end - (post.duration?.inSeconds ?? 0)
            let deliveries = Self.rows(posted.known.kept, from: began, start: start, owner: owner)
            let kept = Array(deliveries.prefix(left))
            left -= kept.count
            return Snapshot.Post(
                id: "\(post.id)", cause: post.cause.map { "\($0)" }, type: post.subject.name.plain,
                center: names[posted.subject], place: post.place?.plain, time: start + began,
                duration: post.duration?.inSeconds, observers: post.observers, payload: posted.known.payload,
                deliveries: kept, omitted: posted.known.omitted + deliveries.count - kept.count)
        }
    }

    private static func rows(
        _ delivered: [Delivered], from begin: Double, start: Double, owner: (ObserverDescription.ID) -> String?
    ) -> [Snapshot.Delivery] {
        var time = begin
        var inPost: [Snapshot.Delivery] = []
        var later: [Snapshot.Delivery] = []
        for one in delivered {
            let observer = one.delivery.observer
            let duration = one.delivery.duration?.inSeconds
            let isInPost = observer.delivery.isInPost
            let row = Snapshot.Delivery(
                id: "\(one.delivery.id)", observer: "\(observer.id)", place: "\(observer.place)".plain,
                delivery: "\(observer.delivery)",
                context: one.delivery.isOnMainActor ? "main actor" : owner(observer.id), inPost: isInPost,
                time: start + (isInPost ? time : one.end - (duration ?? 0)), waited: one.delivery.waited?.inSeconds,
                duration: duration)
            if isInPost {
                inPost.append(row)
                time += duration ?? 0
            } else {
                later.append(row)
            }
        }
        return inPost + later
    }
}

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
