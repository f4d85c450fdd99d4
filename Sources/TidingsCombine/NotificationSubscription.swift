import Tidings

#if canImport(Combine)
    import Combine
#elseif OpenCombine
    import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
    /// Calls the subscriber while no lock is held. At most one thread delivers at a time. Other threads queue their
    /// notifications. Before the delivering thread stops, it delivers the queued notifications that the subscriber has
    /// demanded. So calls of the subscriber never overlap.
    final class NotificationSubscription<S: Subscriber>: Subscription, Sendable
    where S.Input: Sendable, S.Failure == Never {
        private let policy: BufferingPolicy
        private let drops: DropCounter
        private let isOnMainActor: Bool
        private let state: Lock<SubscriptionState<S>>

        init(_ subscriber: S, buffering policy: BufferingPolicy, _ drops: DropCounter, isOnMainActor: Bool) {
            self.policy = policy
            self.drops = drops
            self.isOnMainActor = isOnMainActor
            state = Lock(SubscriptionState(called: CalledSubscriber(subscriber: subscriber)))
        }

        /// Starts the subscription. `isHandingOver` is `true` until the subscriber has received the subscription, so
        /// that no notification arrives earlier.
        func begin(_ token: NotificationToken) {
            let called = state.withLock { state in
                state.token = token
                return state.called
            }
            called?.subscriber.receive(subscription: self)
            resume { $0.isHandingOver = false }
        }

        func request(_ demand: Subscribers.Demand) { resume { $0.demand += demand } }

        func finish() { resume { $0.hasEnded = true } }

        func cancel() {
            // `former` is released after the unlock, because releasing it may run user code.
            let former = state.withLock { state in
                // If a thread is delivering, it resets `isHandingOver` when it stops.
                defer { state = SubscriptionState(called: nil, isHandingOver: state.isHandingOver) }
                return state
            }
            former.token?.cancel()
        }

        func put(_ note: S.Input) {
            switch state.withLock({ $0.admit(note, policy) }) {
            case .now(let call): handOver(call)
            case .later(let waiting, let reporter):
                guard let reporter else { return }
                reporter.tell(waiting: waiting)
                // Calls on other threads may have shortened the queue before its length was reported.
                if length < waiting { reporter.tell(recoveredAt: { length }) }
            case .dropped(_, let total, let reporter):
                drops.add()
                reporter?.tell(dropped: total)
            case .tooLate: break
            }
        }

        private func resume(_ change: (inout SubscriptionState<S>) -> Void) {
            let begins = state.withLock { state in
                change(&state)
                return state.beginHandingOver()
            }
            guard begins else { return }
            guard isOnMainActor else { return handOver() }
            let subscription: any ReceivingSubscription = self
            Task { @MainActor in subscription.handOver() }
        }

        private func handOver(_ call: SubscriptionState<S>.Call?) {
            var call = call
            while let current = call { call = takeNext(adding: current.make()) }
        }

        private func takeNext(adding demand: Subscribers.Demand) -> SubscriptionState<S>.Call? {
            let (call, reporter) = state.withLock { state in
                state.demand += demand
                return (state.next(), state.reporter)
            }
            if call != nil { reporter?.tell(recoveredAt: { length }) }
            return call
        }

        private var length: Int { state.withLock { $0.waiting.count } }
    }

    /// A subscription without its subscriber's type, because closures that run on other threads can't capture the type.
    protocol ReceivingSubscription<Note>: Sendable {
        associatedtype Note

        func put(_ note: Note)
        func finish()
        func handOver()
    }

    extension NotificationSubscription: ReceivingSubscription {
        func handOver() { handOver(takeNext(adding: .none)) }
    }

    extension NotificationSubscription: ObserverQueue {
        var status: QueueStatus {
            state.withLock { state in
                QueueStatus(
                    queued: state.waiting.count, dropped: state.droppedCount, isRunning: state.isHandingOver,
                    calls: state.calls)
            }
        }

        func countDrops(with counter: DropCounter) { state.withLock { $0.drops = counter } }

        func report(to reporter: QueueReporter) {
            // The previous reporter is released after the unlock, because its release may run the `deinit` of a
            // monitor.
            _ = state.withLock { state in
                defer { state.reporter = reporter.isActive ? reporter : nil }
                return state.reporter
            }
        }
    }
#endif
