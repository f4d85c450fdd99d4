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
    /// | `tidings.queue.age` | gauge | `notification`, `delivery`, `observer` |
    /// | `tidings.queue.stored` | gauge | `notification`, `delivery`, `observer` |
    /// | `tidings.call.age` | gauge | `notification`, `delivery`, `observer` |
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
    /// The ages are in seconds: for how long a call has been running, and the oldest notification that waits has waited, of the observers of
    /// a name the longest. `tidings.queue.stored` is how many notifications wait for durable observers in their tables. These gauges are
    /// recorded when calls are looked at that may take too long, four times in `WarningThresholds.call`, and as 0 when they have ended. So
    /// they grow while a call hangs, when nothing else happens.
    ///
    /// An observer has the name that it has when it is told of first. A thousand observers have names of their own; of those that come
    /// later, the ones of a type, a delivery and a line share the first one's. So there are at most a thousand instruments of observers, as
    /// many of such lines, and as many of posts, and they are kept as long as the monitor. What comes after them is counted as `other`.
    public final class MetricsMonitor: LookingMonitor {
        /// Everything: each event has its metric, and each duration its timer. Without a backend there is none, and nothing is asked for.
        public let interests: MonitorInterests

        private let instruments: Instruments
        private let posts: KeptValues<PlacedSubject, PostInstruments>
        private let observers: KeptValues<KnownObserver, KnownInstruments>
        private let lines: KeptValues<ObserverKey, ObserverInstruments>
        private let ages: AgeGauges
        private let depths = QueueDepths()

        /// Makes a monitor that measures with a factory.
        ///
        /// - Parameters:
        ///   - factory: What makes counters, timers and gauges.
        ///   - dimensions: Dimensions to add to every metric, such as the name of the center.
        public init(factory: any MetricsFactory = MetricsSystem.factory, dimensions: [(String, String)] = []) {
            let instruments = Instruments(factory: factory, dimensions: dimensions)
            self.instruments = instruments
            interests = factory is NOOPMetricsHandler ? [] : .everything
            posts = KeptValues { PostInstruments($0, instruments) }
            observers = KeptValues { KnownInstruments($0, instruments) }
            lines = KeptValues { ObserverInstruments($0?.observer, instruments) }
            ages = AgeGauges(instruments)
        }

        /// Records the ages of what is under way.
        package func look(at calls: [CallUnderWay], by attachment: ObjectIdentifier) {
            ages.note(calls, of: attachment)
        }

        /// Does something with the instruments of an observer: its own, or those of its line.
        @inline(__always)
        private func with(_ observer: ObserverDescription, _ body: (ObserverInstruments) -> Void) {
            observers.with(KnownObserver(observer)) { known in
                if let instruments = known.instruments { return body(instruments) }
                lines.with(ObserverKey(observer), body)
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
                with(observer) { $0.dropped?.increment() }
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
            if let observer { with(observer) { name = $0.name } }
            let dimensions = [("notification", notification), ("kind", kind), ("observer", name)]
            instruments.counter(label, dimensions).increment()
        }

        private func measure(_ delivery: NotificationDelivery) {
            let observer = delivery.observer
            with(observer) { instruments in
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
            with(observer) { $0.depth?.add(change) }
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
    public import Tidings

    /// A stand-in without the trait `Metrics`. The compiler reports what to add to the manifest.
    @available(
        *, unavailable,
        message: "needs a trait: in Package.swift, add traits: [\"Metrics\"] to the dependency on tidings"
    )
    public struct MetricsMonitor: NotificationMonitor {
        /// Accepts whatever the real initializer accepts, so that the first error names the trait.
        public init(factory: Any? = nil, dimensions: [(String, String)] = []) { fatalError("unavailable") }

        /// Does nothing.
        public func receive(_ event: NotificationEvent) {}
    }
#endif
