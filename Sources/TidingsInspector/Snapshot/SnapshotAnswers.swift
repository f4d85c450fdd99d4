// Answers to common questions about a running program. You can also use them in tests.

extension InspectorSnapshot {
    /// The ``observers`` that were running for at least a tenth of the last second, the busiest first.
    public var busiest: [Observer] {
        observers.filter { $0.busy ?? 0 >= 0.1 }.sorted { ($0.busy ?? 0, $0.id) > ($1.busy ?? 0, $1.id) }
    }

    /// The groups whose number of observers only grows.
    public var growing: [Group] { groups.filter(\.isGrowing) }

    /// The types in ``owners`` whose number of objects only grows.
    public var growingOwners: [OwnerType] { owners.filter(\.isGrowing) }

    /// Returns the observers of a post's type that weren't called, with the reasons.
    ///
    /// - Parameter post: The identity of one of the ``posts``.
    /// - Returns: The observers, or `nil` if the snapshot doesn't contain the post or doesn't know the observers.
    public func notCalled(by post: String) -> [Missed]? { posts.first { $0.id == post }?.missed }

    /// Returns the posts of an observer's type that didn't call the observer.
    ///
    /// - Parameter place: The source line that registered the observer, or the end of its text: `Courier.swift:12`.
    /// - Returns: The posts, newest first, with the reasons.
    public func posts(thatMissed place: String) -> [(post: Post, missed: Missed)] {
        posts.flatMap { post in
            (post.missed ?? []).filter { $0.place.hasSuffix(place) }.map { (post, $0) }
        }
    }
}

extension InspectorSnapshot.Post {
    /// The deliveries that are queued or running.
    public var pending: [InspectorSnapshot.Delivery] {
        deliveries.filter { $0.state == .waiting || $0.state == .running }
    }
}
