#if Metrics
    import CoreMetrics
    import Tidings

    /// The counters, timers and gauges in use: each is made once.
    final class Instruments: Sendable {
        private struct Key: Hashable {
            let label: String
            let values: [String]
        }

        private struct Made {
            var counters: [Key: Counter] = [:]
            var timers: [Key: Timer] = [:]
            var gauges: [Key: Gauge] = [:]
        }

        private let factory: any MetricsFactory
        private let dimensions: [(String, String)]
        private let made = Lock(Made())

        init(factory: any MetricsFactory, dimensions: [(String, String)]) {
            self.factory = factory
            self.dimensions = dimensions
        }

        func count(_ label: String, _ dimensions: [(String, String)]) {
            instrument(label, dimensions, in: \.counters) { Counter(label: label, dimensions: $0, factory: factory) }
                .increment()
        }

        func time(_ label: String, _ dimensions: [(String, String)], _ duration: Duration) {
            let (seconds, attoseconds) = duration.components
            instrument(label, dimensions, in: \.timers) { Timer(label: label, dimensions: $0, factory: factory) }
                .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        }

        func gauge(_ label: String, _ dimensions: [(String, String)], _ value: Int) {
            instrument(label, dimensions, in: \.gauges) { Gauge(label: label, dimensions: $0, factory: factory) }
                .record(value)
        }

        /// The instrument of a label and its dimensions, which have the same keys wherever the label is used.
        private func instrument<Instrument: Sendable>(
            _ label: String, _ dimensions: [(String, String)],
            in kind: any WritableKeyPath<Made, [Key: Instrument]> & Sendable, make: ([(String, String)]) -> Instrument
        ) -> Instrument {
            let key = Key(label: label, values: dimensions.map(\.1))
            if let known = made.withLock({ $0[keyPath: kind][key] }) { return known }
            // Made outside the lock, as the factory is foreign code. If two threads make one, both use the first to be
            // stored.
            let new = make(dimensions + self.dimensions)
            return made.withLock { made in
                if let known = made[keyPath: kind][key] { return known }
                made[keyPath: kind][key] = new
                return new
            }
        }
    }

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
