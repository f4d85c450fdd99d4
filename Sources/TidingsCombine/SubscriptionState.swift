import Tidings

#if canImport(Combine)
    import Combine
#elseif OpenCombine
    import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
    /// A subscriber, which need not be `Sendable`: a subscription calls it on whatever thread posts.
    ///
    /// It is only called by the thread that hands over, see ``SubscriptionState/isHandingOver``, and each such thread gets to
    /// know under the lock that the one before it has stopped.
    struct CalledSubscriber<S: Subscriber>: @unchecked Sendable {  // for the reason above
        let subscriber: S

        init(_ subscriber: S) { self.subscriber = subscriber }
    }

    /// What a subscription knows, under its lock.
    struct SubscriptionState<S: Subscriber>: Sendable where S.Input: Sendable, S.Failure == Never {
        /// The subscriber; `nil` when the subscription is over.
        private(set) var called: CalledSubscriber<S>?
        var token: NotificationToken?

        /// How many notifications the subscriber wants, beyond those that it got.
        var demand = Subscribers.Demand.none

        /// Whether a thread is handing over, or about to, and takes what waits before it stops.
        var isHandingOver = true

        /// Whether no notification comes any more.
        var hasEnded = false

        private(set) var waiting = TwoStackQueue<S.Input>()
        private(set) var droppedCount = 0
        var reporter: QueueReporter?

        /// Where the center counts what was dropped.
        var drops: DropCounter?

        init(_ called: CalledSubscriber<S>?) { self.called = called }

        /// A call of the subscriber that is due.
        enum Call: Sendable {
            case notification(S.Input, to: CalledSubscriber<S>)
            case end(CalledSubscriber<S>)

            /// Makes the call.
            ///
            /// - Returns: What the subscriber demands in addition.
            func make() -> Subscribers.Demand {
                switch self {
                case .notification(let note, let called): return called.subscriber.receive(note)
                case .end(let called):
                    called.subscriber.receive(completion: .finished)
                    return .none
                }
            }
        }

        /// What becomes of a notification that arrives.
        enum Arrival: Sendable {
            /// Its thread is to hand it over.
            case now(Call)
            /// It waits, with the others.
            case later(waiting: Int, QueueReporter?)
            /// It, or one before it, is dropped, and released by the caller.
            case dropped(S.Input, total: Int, QueueReporter?)
            /// The subscription is over.
            case tooLate
        }

        mutating func admit(_ note: S.Input, _ policy: BufferingPolicy) -> Arrival {
            guard let called else { return .tooLate }
            // If no thread hands over although there is demand, nothing waits.
            if !isHandingOver, demand > .none {
                isHandingOver = true
                demand -= 1
                return .now(.notification(note, to: called))
            }
            switch policy.admission(waiting: waiting.count) {
            case .append:
                waiting.append(note)
                return .later(waiting: waiting.count, reporter)
            case .dropOldest:
                let oldest = waiting.popFirst() ?? note
                waiting.append(note)
                return dropped(oldest)
            case .dropNewest: return dropped(note)
            }
        }

        private mutating func dropped(_ note: S.Input) -> Arrival {
            droppedCount += 1
            drops?.add()
            return .dropped(note, total: droppedCount, reporter)
        }

        /// Whether the caller is to hand over: if there is something, and no other thread does.
        mutating func beginHandingOver() -> Bool {
            guard !isHandingOver, called != nil else { return false }
            isHandingOver = waiting.isEmpty ? hasEnded : demand > .none
            return isHandingOver
        }

        /// The next call of the thread that hands over; `nil` if it has to stop.
        mutating func next() -> Call? {
            if let called {
                if demand > .none, let note = waiting.popFirst() {
                    demand -= 1
                    return .notification(note, to: called)
                }
                if hasEnded, waiting.isEmpty {
                    self.called = nil
                    return .end(called)
                }
            }
            isHandingOver = false
            return nil
        }
    }
#endif
