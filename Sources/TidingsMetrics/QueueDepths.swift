#if Metrics
    import Tidings

    /// How many notifications wait for each observer, and in all for those that were registered at one place.
    final class QueueDepths: Sendable {
        private struct Place: Hashable {
            let subject: NotificationSubject
            let delivery: DeliveryMode
            let place: SourcePlace
        }

        private struct State {
            var depths: [ObserverDescription.ID: Int] = [:]
            var totals: [Place: Int] = [:]
        }

        private let state = Lock(State())

        /// Notes the depth of an observer's queue; `nil` if the observation has ended.
        ///
        /// - Returns: The sum for its place; `nil` if the observer has no queue.
        func note(_ depth: Int?, of observer: ObserverDescription) -> Int? {
            let place = Place(subject: observer.subject, delivery: observer.delivery, place: observer.place)
            return state.withLock { state in
                let previous = state.depths[observer.id]
                if previous == nil, depth == nil { return nil }
                state.depths[observer.id] = depth
                let total = state.totals[place, default: 0] + (depth ?? 0) - (previous ?? 0)
                state.totals[place] = total == 0 ? nil : total
                return total
            }
        }
    }
#endif
