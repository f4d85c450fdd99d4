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
            // Made outside the lock, as the factory is somebody else's; whoever comes second uses the first one's.
            let new = make(dimensions + self.dimensions)
            return made.withLock { made in
                if let known = made[keyPath: kind][key] { return known }
                made[keyPath: kind][key] = new
                return new
            }
        }
    }
#endif
