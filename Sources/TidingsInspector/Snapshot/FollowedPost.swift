extension Snapshot {
    /// A post that was followed, with its deliveries.
    ///
    /// What posts led to is a tree: the ``cause`` of a post is the ``Delivery/id`` of the delivery that made it.
    public struct Post: Codable, Hashable, Sendable {
        /// Its identity, which no other post of the process has or will have.
        public var id: String

        /// The identity of the delivery in which it was made: that of the post there, a dot, and a number.
        public var cause: String?

        /// What was posted.
        public var type: String

        /// The name of the center or the bus.
        public var center: String

        /// The line of source that posted it.
        public var place: String?

        /// When it began.
        public var time: Double

        /// How long it took, with the calls made in it.
        public var duration: Double?

        /// How many observers were called, or had the notification put into their queue.
        public var observers: Int

        /// The notification in words, if its type says how: by `CustomTidingsDescription`.
        public var payload: String?

        /// Its deliveries: those in the post in their order, then the others as they ended.
        public var deliveries: [Delivery]

        /// How many deliveries there were that are not listed.
        public var omitted: Int
    }

    /// A call of an observer that a post led to, or a notification that the consumer of a sequence took.
    public struct Delivery: Codable, Hashable, Sendable {
        /// The identity of its post, a dot, and its number in that post.
        public var id: String

        /// The identity of the observer.
        public var observer: String

        /// The line of source that registered the observer, and the context in which it runs.
        public var place, delivery: String

        /// The object in which or for which it ran: the actor, the consumer or the owner; `main actor` on the main actor. `nil`
        /// if there is none, or if it is not known any more.
        public var context: String?

        /// Whether it ran in the post.
        public var inPost: Bool

        /// When the call began. Of a call in the post it is reckoned from the durations of the calls before it.
        public var time: Double

        /// How long the notification waited, and how long the call took.
        public var waited, duration: Double?
    }
}
