extension InspectorSnapshot {
    /// A post that the inspector recorded in the tier ``Tier/follow``, with its deliveries.
    ///
    /// Posts form a tree. If an observer makes a post while it handles a delivery, the ``cause`` of that post is the
    /// ``Delivery/id`` of the delivery.
    public struct Post: Codable, Hashable, Sendable {
        /// The identity, which is unique in the process.
        public var id: String

        /// The ``Delivery/id`` of the delivery that caused the post, or `nil` if there is none or it isn't recorded.
        public var cause: String?

        /// The type of the notification.
        public var type: String

        /// The name of the center or the bus.
        public var center: String

        /// The source line of the post.
        public var place: String?

        /// The time at which the post began.
        public var time: Double

        /// The duration, including the calls that run before the post returns.
        public var duration: Double?

        /// The number of observers for which the notification was delivered or queued.
        public var observers: Int

        /// The notification as text, if its type has a `CustomTidingsDescription`.
        public var payload: String?

        /// The deliveries. The calls in the post come first. Later deliveries follow in the order in which they ended,
        /// and unfinished deliveries are last.
        public var deliveries: [Delivery]

        /// The number of deliveries that aren't listed.
        public var omitted: Int

        /// Up to 50 observers of the type that weren't called, with the reasons.
        ///
        /// `nil` if the inspector's log was full, if too many deliveries were queued, or if the listed posts have too
        /// many observers to check. The limit for observers doesn't apply to ``Inspector/Selection/posts``.
        public var missed: [Missed]?
    }

    /// An observer of a post's type that the post didn't call.
    public struct Missed: Codable, Hashable, Sendable {
        /// The reasons why an observer wasn't called.
        @nonexhaustive
        public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
            /// The observer is limited to another sender.
            case anotherSender
            /// The observer's condition rejected the notification.
            case condition
            /// The observer is limited to a sender and has a condition. Either the sender differs, or the condition
            /// failed.
            case senderOrCondition
            /// The observer was registered after the post.
            case registeredLater
            /// The observer had ended. ``Missed/detail`` contains the reason.
            case ended
            /// The observer's buffering policy dropped the notification.
            case dropped
            /// The notification was discarded while it was queued, because the observer ended.
            case discarded
            /// The inspector doesn't know the reason.
            case unknown
        }

        /// The identity of the observer.
        public var observer: String

        /// The source line that registered the observer, and the context in which it runs.
        public var place, delivery: String

        /// The reason why the observer wasn't called.
        public var reason: Reason

        /// The sender to which the observer is limited, or the reason why it ended.
        public var detail: String?
    }

    /// The delivery of a post's notification to one observer: a call of the observer, or an element of its sequence.
    public struct Delivery: Codable, Hashable, Sendable {
        /// The identity: the identity of the post, a dot, and a number.
        public var id: String

        /// The identity of the observer.
        public var observer: String

        /// The source line that registered the observer, and the context in which it runs.
        public var place, delivery: String

        /// The actor, the consumer or the owner that runs the call, or `main actor`. `nil` if none is known.
        public var context: String?

        /// Whether the call ran in the post, before the post returned.
        public var inPost: Bool

        /// The states of a delivery.
        @nonexhaustive
        public enum State: String, Codable, Hashable, Sendable, CaseIterable {
            /// The call has ended, or the loop over a sequence has received the notification.
            case done
            /// The call is running.
            case running
            /// The notification is queued.
            case waiting
        }

        /// The state of the delivery.
        public var state: State

        /// The approximate number of notifications ahead of this one in the queue, or `nil` if this one isn't queued.
        public var ahead: Int?

        /// The time at which the call began, or at which the waiting notification was queued. For a call in the post,
        /// the time is calculated from the durations of earlier calls.
        public var time: Double

        /// The time for which the notification was queued, and the duration of the call.
        public var waited, duration: Double?
    }
}
