#if Metrics
    import CoreMetrics
    import Tidings

    final class Instruments: Sendable {
        private struct Made {
            /// All instruments with the same label have the same type.
            var instruments: [[String]: any Sendable] = [:]
            /// The keys of each label's series, including those whose instruments are being created.
            var series: [String: Set<[String]>] = [:]

            /// Gives a key its own series, unless the limit is reached. Returns whether the key has one.
            mutating func addSeries(_ key: [String], of label: String, limit: Int) -> Bool {
                if series[label, default: []].contains(key) { return true }
                if series[label, default: []].count >= limit { return false }
                series[label, default: []].insert(key)
                return true
            }
        }

        private let factory: any MetricsFactory
        private let dimensions: [(String, String)]
        private let made = Lock(Made())
        private let seriesLimit: Int

        init(factory: any MetricsFactory, dimensions: [(String, String)], seriesLimit: Int) {
            self.seriesLimit = seriesLimit
            self.factory = factory
            self.dimensions = dimensions
        }

        func counter(_ label: String, _ dimensions: [(String, String)]) -> Counter {
            instrument(label, dimensions) { Counter(label: label, dimensions: $0, factory: factory) }
        }

        func timer(_ label: String, _ dimensions: [(String, String)]) -> Timer {
            instrument(label, dimensions) { Timer(label: label, dimensions: $0, factory: factory) }
        }

        func depth(_ label: String, _ dimensions: [(String, String)]) -> DepthGauge {
            instrument(label, dimensions) { DepthGauge(Gauge(label: label, dimensions: $0, factory: factory)) }
        }

        func gauge(_ label: String, _ dimensions: [(String, String)]) -> Gauge {
            instrument(label, dimensions) { Gauge(label: label, dimensions: $0, factory: factory) }
        }

        /// Returns the instrument with a label and dimension values. Calls with the same label must have the same keys.
        private func instrument<Instrument: Sendable>(
            _ label: String, _ dimensions: [(String, String)], make: ([(String, String)]) -> Instrument
        ) -> Instrument {
            var key = [label] + dimensions.map(\.1)
            if let known = made.withLock({ $0.instruments[key] }) as? Instrument { return known }
            var dimensions = dimensions
            if !made.withLock({ [key] in $0.addSeries(key, of: label, limit: seriesLimit) }) {
                dimensions = dimensions.map { ($0.0, "other") }
                key = [label] + dimensions.map(\.1)
                if let others = made.withLock({ [key] in $0.instruments[key] }) as? Instrument { return others }
            }
            // No lock is held here, because the factory is foreign code. If two threads create the same instrument, both
            // use the one that is stored first.
            let new = make(dimensions + self.dimensions)
            return made.withLock { [key] made in
                if let known = made.instruments[key] as? Instrument { return known }
                made.instruments[key] = new
                return new
            }
        }
    }

    final class PostInstruments: Sendable {
        let count: Counter
        let unobserved: Counter
        let duration: Timer

        init(_ key: PlacedSubject?, _ instruments: Instruments) {
            let notification = [("notification", key?.subject.label ?? "other")]
            let place = key.map { $0.place.map { "\($0)" } ?? "unknown" } ?? "other"
            count = instruments.counter("tidings.posts", notification + [("posted_at", place)])
            unobserved = instruments.counter("tidings.posts.unobserved", notification + [("posted_at", place)])
            duration = instruments.timer("tidings.post.duration", notification)
        }
    }

    struct ObserverKey: KeptKey {
        private let placed: PlacedSubject
        let observer: ObserverDescription

        init(_ observer: ObserverDescription) {
            placed = PlacedSubject(observer.subject, observer.delivery, at: observer.place)
            self.observer = observer
        }

        var word: UInt { placed.word }

        static func == (lhs: ObserverKey, rhs: ObserverKey) -> Bool { lhs.placed == rhs.placed }
    }

    struct KnownObserver: KeptKey {
        let observer: ObserverDescription
        var word: UInt { observer.id.word }

        static func == (lhs: KnownObserver, rhs: KnownObserver) -> Bool { lhs.observer.id == rhs.observer.id }
    }

    /// An observer's instruments. Observers beyond the limit of `KeptValues` share a value without `instruments`.
    final class KnownInstruments: Sendable {
        let instruments: ObserverInstruments?
        let wasReached = AtomicByte(false)

        /// Sets ``wasReached``. Only the first call writes, to avoid contention.
        @inline(__always)
        func noteReached() { if !wasReached.load(ordering: .relaxed) { wasReached.store(true, ordering: .relaxed) } }

        init(_ key: KnownObserver?, _ instruments: Instruments) {
            self.instruments = key.map { ObserverInstruments($0.observer, instruments) }
        }
    }

    final class ObserverInstruments: Sendable {
        let name, group: String
        let deliveries: Counter
        /// `nil` for sequences, whose consumers don't report when they have finished.
        let duration: Timer?
        /// `nil`, like `dropped` and `depth`, for observers that the post calls directly.
        let waited: Timer?
        let dropped: Counter?
        let depth: DepthGauge?

        init(_ observer: ObserverDescription?, _ instruments: Instruments) {
            let labels = observer.labels
            name = observer?.label ?? "other"
            group = observer.groupLabel
            deliveries = instruments.counter("tidings.deliveries", labels)
            duration =
                observer?.delivery == .sequence ? nil : instruments.timer("tidings.delivery.duration", labels)
            let isInPost = observer?.delivery.isInPost == true
            waited = isInPost ? nil : instruments.timer("tidings.queue.wait_time", labels)
            dropped = isInPost ? nil : instruments.counter("tidings.dropped", labels)
            depth = isInPost ? nil : instruments.depth("tidings.queue.depth", labels)
        }
    }

    final class DepthGauge: Sendable {
        private let gauge: Gauge
        private let total = Atomic(0)

        init(_ gauge: Gauge) { self.gauge = gauge }

        func add(_ difference: Int) { gauge.record(total.wrappingAdd(difference, ordering: .relaxed).newValue) }
    }

    extension ObserverDescription? {
        var labels: [(String, String)] {
            [
                ("notification", self?.subject.label ?? "other"), ("delivery", self?.delivery.label ?? "other"),
                ("observer", self?.label ?? "other"), ("group", groupLabel),
            ]
        }

        fileprivate var groupLabel: String { self.map { $0.group ?? "none" } ?? "other" }
    }

    extension Duration {
        var nanoseconds: Int64 {
            if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
                // Nine seconds or less fit in an `Int64`, which is divided faster than an `Int128`.
                let attoseconds = attoseconds
                if let few = Int64(exactly: attoseconds) { return few / 1_000_000_000 }
                return Int64(clamping: attoseconds / 1_000_000_000)
            }
            return wholeNanoseconds
        }
    }
#endif
