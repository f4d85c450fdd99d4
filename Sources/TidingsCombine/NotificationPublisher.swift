import Tidings

// Combine where the system has it. Elsewhere OpenCombine, for who enables the trait of that name.
#if canImport(Combine)
    public import Combine
#elseif OpenCombine
    public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
    /// Notifications as a publisher, made with `publisher(for:sender:buffering:)` of a center.
    ///
    /// **Beginning.** Each subscriber observes by itself, from its subscription on. What was posted before does not reach it,
    /// also if the publisher was there already.
    ///
    /// **Thread.** A subscriber is called in the post, synchronously, on the thread that posts; of a `MainActorNotification` that
    /// is the main actor. It is called with one notification at a time, in the order in which they were posted. One that is
    /// posted meanwhile, by another thread or by the subscriber itself, waits until the subscriber returns, and is then handed
    /// over by the thread that called it: no thread waits for a lock meanwhile.
    ///
    /// **Demand.** No subscriber gets more than it has demanded. What arrives while it demands none waits for it, without bound
    /// unless you choose a policy. It is handed over when the subscriber demands more, on the thread that does so; a main-actor
    /// notification on the main actor, soon after. What a policy drops is counted in ``droppedCount``.
    ///
    /// **End.** The publisher never fails. It finishes when the center has ended, after what waits was handed over. When its
    /// sender is gone, nothing more comes. Then it finishes as soon as the center notices, which takes a further registration of
    /// the type, or the end of the center. Cancelling ends the observation, discards what waits, and releases the subscriber.
    ///
    /// The publisher keeps its center alive, and its sender not. A subscription keeps neither of them.
    public struct NotificationPublisher<Output: Sendable>: Publisher, Sendable {
        /// A publisher of notifications never fails.
        public typealias Failure = Never

        typealias Observe =
            @Sendable (ObserverRegistration, @escaping @Sendable (Output) -> Void) -> NotificationToken

        private let registration: ObserverRegistration
        private let policy: BufferingPolicy
        private let drops = DropCount()
        private let observe: Observe

        /// - Parameters:
        ///   - delivery: Where subscribers are called.
        ///   - place: The line of source that made the publisher.
        ///   - policy: What becomes of notifications that arrive while a subscriber demands none.
        ///   - observe: Begins to observe, with the registration and the closure it is given.
        init(
            _ delivery: DeliveryMode, from place: SourcePlace, buffering policy: BufferingPolicy,
            observe: @escaping Observe
        ) {
            policy.check()
            registration = ObserverRegistration(fileID: place.fileID, line: place.line, delivery: delivery)
            self.policy = policy
            self.observe = observe
        }

        /// How many notifications the buffering policy has dropped, for all subscribers together.
        public var droppedCount: Int { drops.count }

        /// Begins to observe for a subscriber.
        ///
        /// - Parameter subscriber: The subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
            let subscription = NotificationSubscription(
                subscriber, buffering: policy, drops, isOnMainActor: registration.delivery.isOnMainActor)
            let entrance = SubscriptionEntrance<Output>(subscription)
            let token = observe(registration.with(queue: subscription)) { note in entrance.subscription.put(note) }
            subscription.begin(token)
        }
    }

    /// How many notifications the subscriptions of one publisher have dropped.
    final class DropCount: Sendable {
        private let dropped = Atomic(0)

        var count: Int { dropped.load(ordering: .relaxed) }

        func add() { dropped.wrappingAdd(1, ordering: .relaxed) }
    }

    /// The way into a subscription, which only a center holds: when the center lets go of it, no notification comes any more.
    private final class SubscriptionEntrance<Note: Sendable>: Sendable {
        let subscription: any ReceivingSubscription<Note>

        init(_ subscription: any ReceivingSubscription<Note>) { self.subscription = subscription }

        deinit { subscription.finish() }
    }
#endif
