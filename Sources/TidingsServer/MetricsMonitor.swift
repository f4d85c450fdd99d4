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
    /// | `tidings.deliveries` | counter | `notification`, `delivery`, `observer` |
    /// | `tidings.delivery.duration` | timer | `notification`, `delivery`, `observer` |
    /// | `tidings.queue.wait_time` | timer | `notification`, `delivery`, `observer` |
    /// | `tidings.queue.depth` | gauge | `notification`, `delivery`, `observer` |
    /// | `tidings.dropped` | counter | `notification`, `delivery`, `observer` |
    /// | `tidings.registrations`, `tidings.ends` | counters | `notification`, `delivery` |
    /// | `tidings.failures` | counter | `notification`, `kind`, `observer` |
    /// | `tidings.warnings` | counter | `notification`, `kind`, `observer` |
    /// | `tidings.recoveries` | counter | `notification`, `kind`, `observer` |
    ///
    /// Timers are recorded in nanoseconds. The place of a post is a line of the source, as `Module/File.swift:12`; a post that was not made
    /// through Tidings, or with a descriptor, is from `unknown`. An observer is named by its `ObserverDescription.label`, which an edit of
    /// the source does not change: put observers into an `ObserverGroup` before anything is posted to name them. The depth of a queue is the
    /// sum over the observers of a name. A failure that is no observer's is that of `none`.
    ///
    /// The instruments of a type, a delivery and a line are made when they are first used, with the name that the observer has then, and
    /// kept as long as the monitor: a thousand of posts, of deliveries and of queues at most. What comes after them is counted as `other`.
    public final class MetricsMonitor: NotificationMonitor {
        /// Everything: each event has its metric, and each duration its timer.
        public let interests = MonitorInterests.everything

        private let instruments: Instruments
        private let posts: KeptValues<PlacedSubject, PostInstruments>
        private let observers: KeptValues<ObserverKey, ObserverInstruments>
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
                observers.with(ObserverKey(observer)) { $0.dropped?.increment() }
            case .failed(let failure):
                count(
                    "tidings.failures", of: failure.observer?.subject.label ?? failure.notification, failure.kind,
                    failure.observer)
            case .warning(let warning):
                count(
                    warning.isRecovery ? "tidings.recoveries" : "tidings.warnings",
                    of: warning.observer.subject.label, warning.kind, warning.observer)
            @unknown default:
                break
            }
        }

        /// Counts what is seldom.
        private func count(_ label: String, of notification: String, _ kind: String, _ observer: ObserverDescription?) {
            var name = "none"
            if let observer { observers.with(ObserverKey(observer)) { name = $0.name } }
            let dimensions = [("notification", notification), ("kind", kind), ("observer", name)]
            instruments.counter(label, dimensions).increment()
        }

        private func measure(_ delivery: NotificationDelivery) {
            let observer = delivery.observer
            observers.with(ObserverKey(observer)) { instruments in
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
            observers.with(ObserverKey(observer)) { $0.depth?.add(change) }
        }
    }

    extension ObserverDescription {
        fileprivate var labels: [(String, String)] {
            [("notification", subject.label), ("delivery", delivery.label)]
        }
    }

    extension ObserverWarning {
        fileprivate var isRecovery: Bool {
            switch self {
            case .queueRecovered, .callRecovered: true
            default: false
            }
        }

        fileprivate var kind: String {
            switch self {
            case .longQueue: "long_queue"
            case .queueRecovered: "queue_recovered"
            case .drops: "drops"
            case .reachedNobody: "reached_nobody"
            case .slowOnMainActor: "slow_on_main_actor"
            case .failures: "failures"
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
