import Tidings

// OpenCombine is only used if the package trait `OpenCombine` is enabled.
#if canImport(Combine)
    public import Combine
#elseif OpenCombine
    public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
    /// Notifications as a publisher, created by a center's `publisher(for:sender:buffering:)`.
    ///
    /// **Beginning.** Each subscriber observes on its own, starting with its subscription.
    ///
    /// **Thread.** A subscriber is called synchronously during the post, on the thread that posts; for a
    /// `MainActorNotification`, on the main actor. It receives one notification at a time, in the order posted. A
    /// notification that is posted during a call is queued until the subscriber returns, and is then delivered by the
    /// thread that makes the call. No thread waits for a lock in the meantime.
    ///
    /// **Demand.** A subscriber never receives more than it has demanded. Notifications beyond the demand are queued,
    /// without a limit unless you choose a policy. They are delivered on the thread that demands more; main-actor
    /// notifications are delivered on the main actor, shortly afterwards. ``droppedCount`` counts the notifications
    /// that a policy drops.
    ///
    /// **End.** The publisher never fails. When the center has been deallocated, the publisher finishes after the queue
    /// has been delivered. When the sender has been deallocated, no further notification arrives, and the publisher
    /// finishes when a registration for the type detects the deallocation. Cancelling ends the observation, discards
    /// the queue, and releases the subscriber.
    ///
    /// The publisher keeps its center alive, but not its sender. A subscription keeps neither alive.
    public struct NotificationPublisher<Output: Sendable>: Publisher, Sendable {
        /// A publisher of notifications never fails.
        public typealias Failure = Never

        typealias Observe =
            @Sendable (ObserverRegistration, @escaping @Sendable (Output) -> Void) -> NotificationToken

        private let registration: ObserverRegistration
        private let policy: BufferingPolicy
        private let drops = DropCounter()
        private let observe: Observe

        init(
            _ delivery: DeliveryMode, from place: SourcePlace, buffering policy: BufferingPolicy,
            observe: @escaping Observe
        ) {
            policy.check()
            registration = ObserverRegistration(fileID: place.fileID, line: place.line, delivery: delivery)
            self.policy = policy
            self.observe = observe
        }

        /// The number of notifications that the buffering policy has dropped, for all subscribers together.
        public var droppedCount: Int { drops.count }

        /// Starts observing for a subscriber.
        ///
        /// - Parameter subscriber: The subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
            let subscription = NotificationSubscription(
                subscriber, buffering: policy, drops, isOnMainActor: registration.delivery.isOnMainActor)
            let entrance = SubscriptionEntrance<Output>(subscription)
            let registration = registration.with(queue: subscription, intendsDrops: policy.intendsDrops)
            let token = observe(registration) { note in entrance.subscription.put(note) }
            subscription.begin(token)
        }
    }

    /// An object that passes notifications to a subscription. Only the center holds this object. When the center
    /// releases it, no further notification can arrive, so the subscription ends.
    private final class SubscriptionEntrance<Note: Sendable>: Sendable {
        let subscription: any ReceivingSubscription<Note>

        init(_ subscription: any ReceivingSubscription<Note>) { self.subscription = subscription }

        deinit { subscription.finish() }
    }
#endif
