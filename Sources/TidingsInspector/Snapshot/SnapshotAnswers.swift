// What somebody asks who is woken at night. A test of a program's own asks the same:
//
//     #expect(inspector.snapshot().stuck.isEmpty)

extension InspectorSnapshot {
    /// The observers that keep a thread, an actor or themselves busy for most of the time, the busiest first: of those in
    /// ``observers``, those that were running for a tenth of the last second or more.
    public var busiest: [Observer] {
        observers.filter { $0.busy ?? 0 >= 0.1 }.sorted { ($0.busy ?? 0, $0.id) > ($1.busy ?? 0, $1.id) }
    }

    /// The lines of source whose observers only become more.
    public var growing: [Group] { groups.filter(\.isGrowing) }

    /// The types of objects that own observers and only become more.
    public var growingOwners: [OwnerType] { owners.filter(\.isGrowing) }

    /// Who observes the type of a post, and was not called, and why.
    ///
    /// - Parameter post: The identity of one of the ``posts``.
    /// - Returns: The observers; `nil` if the snapshot does not have the post, or the inspector could not tell.
    public func notCalled(by post: String) -> [Missed]? { posts.first { $0.id == post }?.missed }

    /// Why an observer was not called by the posts of its type.
    ///
    /// - Parameter place: The line of source that registered it, or the end of it: `Courier.swift:12`.
    /// - Returns: The posts that did not reach it, the last one first, and why.
    public func posts(thatMissed place: String) -> [(post: Post, missed: Missed)] {
        posts.flatMap { post in
            (post.missed ?? []).filter { $0.place.hasSuffix(place) }.map { (post, $0) }
        }
    }
}

extension InspectorSnapshot.Post {
    /// The deliveries that still wait, or whose calls are running.
    public var pending: [InspectorSnapshot.Delivery] {
        deliveries.filter { $0.state == .waiting || $0.state == .running }
    }
}
