import Tidings

#if canImport(Combine)
    import Combine
#elseif OpenCombine
    import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
    /// A subscriber, which doesn't have to be `Sendable`. Only the delivering thread calls it; see
    /// ``SubscriptionState/isHandingOver``. A thread begins to deliver only after the previous thread has
    /// recorded, under the lock, that it has stopped.
    struct CalledSubscriber<S: Subscriber>: @unchecked Sendable {  // for the reason above
        let subscriber: S
    }

    struct SubscriptionState<S: Subscriber>: Sendable where S.Input: Sendable, S.Failure == Never {
        private(set) var called: CalledSubscriber<S>?
        var token: NotificationToken?
        var demand = Subscribers.Demand.none

        /// Whether a thread is delivering, or is about to. That thread delivers the queue before it stops.
        var isHandingOver = true
        var hasEnded = false
        private(set) var waiting = TwoStackQueue<S.Input>()
        private(set) var droppedCount = 0
        /// The number of notifications that were accepted, and of those with which the subscriber was called.
        private(set) var addedCount = 0
        private(set) var calledCount = 0
        var reporter: QueueReporter?
        var drops: DropCounter?

        enum Call: Sendable {
            case notification(S.Input, to: CalledSubscriber<S>)
            case end(CalledSubscriber<S>)

            func make() -> Subscribers.Demand {
                switch self {
                case .notification(let note, let called): return called.subscriber.receive(note)
                case .end(let called):
                    called.subscriber.receive(completion: .finished)
                    return .none
                }
            }
        }

        enum Arrival: Sendable {
            case now(Call)
            case later(waiting: Int, QueueReporter?)
            /// Contains the dropped notification, so that the caller can release it after the unlock.
            case dropped(S.Input, total: Int, QueueReporter?)
            case tooLate
        }

        mutating func admit(_ note: S.Input, _ policy: BufferingPolicy) -> Arrival {
            guard let called else { return .tooLate }
            // If there is demand and no thread is delivering, the queue is empty.
            if !isHandingOver, demand > .none {
                isHandingOver = true
                addedCount += 1
                noteCall()
                return .now(.notification(note, to: called))
            }
            switch policy.admission(waiting: waiting.count) {
            case .append:
                addedCount += 1
                waiting.append(note)
                return .later(waiting: waiting.count, reporter)
            case .dropOldest:
                let oldest = waiting.popFirst() ?? note
                addedCount += 1
                waiting.append(note)
                return dropped(oldest)
            case .dropNewest: return dropped(note)
            }
        }

        private mutating func noteCall() {
            demand -= 1
            calledCount += 1
        }

        var calls: CallStatus {
            var calls = CallStatus()
            (calls.left, calls.begun, calls.called) = (addedCount - waiting.count, calledCount, calledCount)
            return calls
        }

        private mutating func dropped(_ note: S.Input) -> Arrival {
            droppedCount += 1
            drops?.add()
            return .dropped(note, total: droppedCount, reporter)
        }

        /// Returns whether delivery begins now. If so, the caller has to deliver, or start a task that delivers.
        mutating func beginHandingOver() -> Bool {
            guard !isHandingOver, called != nil else { return false }
            isHandingOver = waiting.isEmpty ? hasEnded : demand > .none
            return isHandingOver
        }

        /// Returns the next call to make; `nil` if the delivering thread has to stop.
        mutating func next() -> Call? {
            if let called {
                if demand > .none, let note = waiting.popFirst() {
                    noteCall()
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
