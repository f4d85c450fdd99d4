import Tidings

extension PostTrees {
    private static let mostRows = 200
    private static let mostDeliveries = 1000

    /// Returns the newest posts and the `chosen` posts. The limit `mostLooks` doesn't apply to `chosen` posts.
    func listed(_ surroundings: PostSurroundings, chosen: Set<String>) -> [InspectorSnapshot.Post] {
        var left = Self.mostDeliveries
        var looks = PostSurroundings.mostLooks
        var posts = newestFirst(Self.mostRows)
        if !chosen.isEmpty {
            let listed = Set(posts.map(\.post.id))
            posts += newestFirst(.max).filter { chosen.contains("\($0.post.id)") && !listed.contains($0.post.id) }
        }
        return posts.map { posted in
            let post = posted.post
            let began = posted.end - (post.duration?.inSeconds ?? 0)
            let deliveries =
                Self.deliveries(posted.known.kept, from: began, surroundings)
                + posted.known.waiting.compactMap { surroundings.row(of: $0) }
            let kept = Array(deliveries.prefix(left))
            left -= kept.count
            let id = "\(post.id)"
            return InspectorSnapshot.Post(
                id: id, cause: post.cause.map { "\($0)" }, type: post.subject.name.plainName,
                center: surroundings.names[posted.subject], place: post.place?.plain,
                time: surroundings.start + began, duration: post.duration?.inSeconds, observers: post.observers,
                payload: posted.known.payload, deliveries: kept,
                omitted: posted.known.omitted + deliveries.count - kept.count,
                missed: surroundings.missed(by: posted, began: began, isChosen: chosen.contains(id), &looks))
        }
    }

    private static func deliveries(
        _ delivered: [Delivered], from begin: Double, _ surroundings: PostSurroundings
    ) -> [InspectorSnapshot.Delivery] {
        var time = begin
        var inPost: [InspectorSnapshot.Delivery] = []
        var later: [InspectorSnapshot.Delivery] = []
        for one in delivered {
            let observer = one.delivery.observer
            let duration = one.delivery.duration?.inSeconds
            let isInPost = observer.delivery.isInPost
            let row = InspectorSnapshot.Delivery(
                id: "\(one.delivery.id)", observer: "\(observer.id)", place: "\(observer.place)".plain,
                delivery: "\(observer.delivery)",
                context: one.delivery.isOnMainActor ? "main actor" : surroundings.standing(observer.id)?.row.owner,
                inPost: isInPost, state: .done,
                time: surroundings.start + (isInPost ? time : one.end - (duration ?? 0)),
                waited: one.delivery.waited?.inSeconds, duration: duration)
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
