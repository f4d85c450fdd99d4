#if Metrics
    public import CoreMetrics
    public import Tidings

    /// Measures what happens in a center, with swift-metrics.
    ///
    /// ```swift
    /// let attachment = center.attach(MetricsMonitor())
    /// ```
    ///
    /// | metric | kind | dimensions |
    /// |---|---|---|
    /// | `tidings.posts` | counter | `notification`, `posted_at` |
    /// | `tidings.post.duration` | timer | `notification` |
    /// | `tidings.deliveries` | counter | `notification`, `delivery` |
    /// | `tidings.delivery.duration` | timer | `notification`, `delivery` |
    /// | `tidings.queue.wait_time` | timer | `notification`, `delivery` |
    /// | `tidings.queue.depth` | gauge | `notification`, `delivery`, `registered_at` |
    /// | `tidings.dropped` | counter | `notification`, `delivery` |
    /// | `tidings.registrations`, `tidings.ends` | counters | `notification`, `delivery` |
    /// | `tidings.failures` | counter | `notification`, `kind` |
    /// | `tidings.warnings` | counter | `notification`, `kind` |
    ///
    /// Timers are recorded in nanoseconds. Places are lines of the source, as `Module/File.swift:12`; a post that was not made
    /// through Tidings, or with a descriptor, is from `unknown`. The depth of a queue is the sum over the observers that were
    /// registered at one place.
    ///
    /// The instruments of a type, a delivery and a place are made when they are first used, and kept as long as the monitor: a
    /// thousand of posts, of deliveries and of queues at most. What comes after them is counted as `other`.
    public final class MetricsMonitor: NotificationMonitor {
        /// Everything: each event has its metric, and each duration its timer.
        public let interests = MonitorInterests.everything

        private let instruments: Instruments
        private let posts: KeptValues<PlacedSubject, PostInstruments>
        private let observers: KeptValues<PlacedSubject, ObserverInstruments>
        private let queues: KeptValues<PlacedSubject, DepthGauge>
        private let depths = QueueDepths()

        /// Makes a monitor that measures with a factory.
        ///
        /// - Parameters:
        ///   - factory: What makes counters, timers and gauges.
        ///   - dimensions: Dimensions to add to every metric, such as the name of the center.
        public init(factory: any MetricsFactory = MetricsSystem.factory, dimensions: [(String, String)] = []) {
            let instruments = Instruments(factory: factory, dimensions: dimensions)
            self.instruments = instruments
            posts = KeptValues { PostInstruments($0, instruments) }
            observers = KeptValues { ObserverInstruments($0, instruments) }
            queues = KeptValues { key in
                let place = key?.place.map { "\($0)" } ?? "other"
                return instruments.gauge("tidings.queue.depth", key.labels + [("registered_at", place)])
            }
        }

        /// Measures an event.
        ///
        /// - Parameter event: The event.
        public func receive(_ event: NotificationEvent) {
            switch event {
            case .registered(let observer):
                instruments.counter("tidings.registrations", observer.labels).increment()
            case .ended(let observer, _):
                instruments.counter("tidings.ends", observer.labels).increment()
                if !observer.delivery.isInPost { note(0, waitingFor: observer) }
            case .posted(let post):
                posts.with(PlacedSubject(post.subject, at: post.place)) { instruments in
                    instruments.count.increment()
                    if let duration = post.duration { instruments.duration.recordNanoseconds(duration.nanoseconds) }
                }
            case .queued(let observer, let waiting):
                note(waiting, waitingFor: observer)
            case .delivered(let delivery):
                measure(delivery)
            case .dropped(let observer, _):
                observers.with(PlacedSubject(observer.subject, observer.delivery)) { $0.dropped?.increment() }
            case .failed(let failure):
                let dimensions = [("notification", failure.notification), ("kind", failure.kind)]
                instruments.counter("tidings.failures", dimensions).increment()
            case .warning(let warning):
                let dimensions = [("notification", warning.observer.subject.name), ("kind", warning.kind)]
                instruments.counter("tidings.warnings", dimensions).increment()
            @unknown default:
                break
            }
        }

        private func measure(_ delivery: NotificationDelivery) {
            let observer = delivery.observer
            observers.with(PlacedSubject(observer.subject, observer.delivery)) { instruments in
                instruments.deliveries.increment()
                if let duration = delivery.duration { instruments.duration?.recordNanoseconds(duration.nanoseconds) }
                if let waited = delivery.waited { instruments.waited?.recordNanoseconds(waited.nanoseconds) }
            }
            if !observer.delivery.isInPost { note(delivery.waiting, waitingFor: observer) }
        }

        /// Notes how many notifications wait for an observer.
        private func note(_ depth: Int, waitingFor observer: ObserverDescription) {
            let change = depths.note(depth, of: observer.id)
            if change == 0 { return }
            queues.with(PlacedSubject(observer.subject, observer.delivery, at: observer.place)) { $0.add(change) }
        }
    }

    extension ObserverDescription {
        fileprivate var labels: [(String, String)] {
            [("notification", subject.name), ("delivery", delivery.label)]
        }
    }

    extension ObserverWarning {
        fileprivate var kind: String {
            switch self {
            case .longQueue: "long_queue"
            case .queueRecovered: "queue_recovered"
            case .drops: "drops"
            case .reachedNobody: "reached_nobody"
            case .slowOnMainActor: "slow_on_main_actor"
            case .lastingOwner: "lasting_owner"
            case .slowCall: "slow_call"
            case .stalledQueue: "stalled_queue"
            case .callRecovered: "call_recovered"
            @unknown default: "other"
            }
        }
    }
#else
    /// Says which trait it takes.
    @available(*, unavailable, message: "enable the trait 'Metrics' of the package 'tidings' to use this")
    public enum MetricsMonitor {}
#endif
