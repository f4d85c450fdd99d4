extension InspectorSnapshot {
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

        /// Its deliveries: those in the post in their order, then the others as they ended, then those that wait.
        public var deliveries: [Delivery]

        /// How many deliveries there were that are not listed.
        public var omitted: Int

        /// Who observes its type and was not called, and why: at most 50; `nil` if that is not known, as there was no room for all that
        /// happened, or was not looked for, as there are very many observers. It is always looked for if the reader has chosen the
        /// post: see ``Inspector/Selection/posts``.
        public var missed: [Missed]?
    }

    /// An observer of a post's type that the post has not called.
    public struct Missed: Codable, Hashable, Sendable {
        /// Why an observer was not called.
        @nonexhaustive
        public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
            /// It is limited to another sender.
            case anotherSender
            /// Its condition has refused the notification.
            case condition
            /// It is limited to a sender and has a condition, and one of both was not met.
            case senderOrCondition
            /// It was registered after the post.
            case registeredLater
            /// It has ended before: ``Missed/detail`` says how.
            case ended
            /// Its buffering policy has dropped the notification.
            case dropped
            /// It was discarded while it waited, as the observer has ended.
            case discarded
            /// The inspector cannot tell.
            case unknown
        }

        /// The identity of the observer.
        public var observer: String

        /// The line of source that registered it, and the context in which it runs.
        public var place, delivery: String

        /// Why it was not called.
        public var reason: Reason

        /// More about it: the sender to which it is limited, or why it has ended.
        public var detail: String?
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

        /// How far a delivery has come.
        @nonexhaustive
        public enum State: String, Codable, Hashable, Sendable, CaseIterable {
            /// The call has ended, or the consumer of a sequence has taken the notification.
            case done
            /// The call is running.
            case running
            /// The notification waits.
            case waiting
        }

        /// How far it has come.
        public var state: State

        /// How many notifications wait in front of it, more or less; `nil` if it does not wait.
        public var ahead: Int?

        /// When the call began, or the wait, if it still waits. Of a call in the post it is reckoned from the durations of the calls
        /// before it.
        public var time: Double

        /// How long the notification waited, and how long the call took.
        public var waited, duration: Double?
    }
}
