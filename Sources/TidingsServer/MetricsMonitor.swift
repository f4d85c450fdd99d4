#if Metrics
    public import CoreMetrics
    public import Tidings

    /// Measures the events of a center with swift-metrics.
    ///
    /// ```swift
    /// let attachment = center.attach(MetricsMonitor())
    /// ```
    ///
    /// | metric | kind | dimensions |
    /// |---|---|---|
    /// | `tidings.posts` | counter | `notification`, `posted_at` |
    /// | `tidings.posts.unobserved` | counter | `notification`, `posted_at` |
    /// | `tidings.post.duration` | timer | `notification` |
    /// | `tidings.deliveries` | counter | of an observer |
    /// | `tidings.delivery.duration` | timer | of an observer |
    /// | `tidings.queue.wait_time` | timer | of an observer |
    /// | `tidings.queue.depth` | gauge | of an observer |
    /// | `tidings.queue.age` | gauge | of an observer |
    /// | `tidings.queue.stored` | gauge | of an observer |
    /// | `tidings.call.age` | gauge | of an observer |
    /// | `tidings.dropped` | counter | of an observer |
    /// | `tidings.registrations`, `tidings.ends` | counters | `notification`, `delivery` |
    /// | `tidings.failures` | counter | `notification`, `kind`, `observer`, `group` |
    /// | `tidings.retries` | counter | `notification`, `kind`, `observer`, `group` |
    /// | `tidings.warnings` | counter | `notification`, `kind`, `observer`, `group` |
    /// | `tidings.recoveries` | counter | `notification`, `kind`, `observer`, `group` |
    ///
    /// The dimensions of an observer are `notification`, `delivery`, `observer` and `group`. `observer` is the
    /// `ObserverDescription.label`, which edits of the source rarely change: the name of a durable observer, the type
    /// of the owner, or the file. `group` is the name of the `ObserverGroup` that holds the observer, or `none`. Add
    /// observers to their group before the first post, because their dimensions don't change later.
    /// `tidings.queue.depth` is the sum over the observers with the same dimensions, without the subscribers of Combine
    /// publishers. If a failure concerns no observer, its dimension `observer` is `none`.
    ///
    /// Timers are recorded in nanoseconds. `posted_at` is a source line such as `Module/File.swift:12`, or `unknown` if
    /// the post wasn't made through Tidings, or was made with a descriptor of `TidingsFoundation`.
    /// `tidings.posts.unobserved` counts posts that reached no observer. `tidings.failures` counts failures that
    /// aren't retried, and `tidings.retries` those that are. `tidings.deliveries` counts all calls, including retries.
    ///
    /// An observer that is registered while the monitor is attached has a `tidings.deliveries` series from the next
    /// post of its type, even if the observer is never called. If no notification has reached the observer after ten
    /// posts and five seconds, `tidings.warnings` counts it with the kind `never_called`. Usually, such an observer is
    /// limited to a sender that posts nothing, or its condition rejects everything.
    ///
    /// `tidings.call.age` is the age of the running call in seconds, and `tidings.queue.age` the age of the oldest
    /// queued notification. Both are the maximum over the observers with the same dimensions. `tidings.queue.stored` is
    /// the number of notifications that are stored for durable observers. The checks for slow calls record these gauges
    /// four times per `WarningThresholds.call`, even without other events, so the gauges grow while a call hangs. When
    /// an observer has no running call and no queued notification left, its gauges are 0.
    ///
    /// An instrument has at most `seriesLimit` series, 100 by default. All further series are recorded as one, with the
    /// value `other` in each dimension. Beyond the first thousand observers, those with the same type, delivery and
    /// source line share the dimensions of the first of them. The monitor keeps this data even after observers end.
    public final class MetricsMonitor: LookingMonitor {
        /// All events, or none if there is no metrics backend.
        public let interests: MonitorInterests

        private let instruments: Instruments
        private let posts: KeptValues<PlacedSubject, PostInstruments>
        private let observers: KeptValues<KnownObserver, KnownInstruments>
        private let lines: KeptValues<ObserverKey, ObserverInstruments>
        private let ages: AgeGauges
        private let depths = Lock<[ObserverDescription.ID: Int]>([:])
        private let newcomers: Newcomers

        /// Creates a monitor that uses a factory.
        ///
        /// - Parameters:
        ///   - factory: The factory of counters, timers and gauges.
        ///   - dimensions: Dimensions to add to every metric, such as the name of the center.
        ///   - seriesLimit: The maximum number of series of each instrument, not counting the series `other`.
        public convenience init(
            factory: any MetricsFactory = MetricsSystem.factory, dimensions: [(String, String)] = [],
            seriesLimit: Int = 100
        ) {
            self.init(factory: factory, dimensions: dimensions, seriesLimit: seriesLimit, now: { .now })
        }

        package init(
            factory: any MetricsFactory, dimensions: [(String, String)] = [], seriesLimit: Int = 100,
            now: @escaping @Sendable () -> ContinuousClock.Instant
        ) {
            let instruments = Instruments(factory: factory, dimensions: dimensions, seriesLimit: seriesLimit)
            self.instruments = instruments
            interests = factory is NOOPMetricsHandler ? [] : .everything
            posts = KeptValues { PostInstruments($0, instruments) }
            observers = KeptValues { KnownInstruments($0, instruments) }
            lines = KeptValues { ObserverInstruments($0?.observer, instruments) }
            ages = AgeGauges(instruments)
            newcomers = Newcomers(now: now)
        }

        package func look(at calls: [CallUnderWay], by attachment: ObjectIdentifier) {
            ages.note(calls, of: attachment)
        }

        /// Calls a closure with an observer's instruments, which are shared beyond the first thousand observers.
        @inline(__always)
        private func with(
            _ observer: ObserverDescription, isReached: Bool = false, _ body: (ObserverInstruments) -> Void
        ) {
            observers.with(KnownObserver(observer: observer)) { known in
                if isReached { known.noteReached() }
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
                newcomers.add(observer)
            case .ended(let observer, _):
                newcomers.remove(observer)
                instruments.counter("tidings.ends", observer.labels).increment()
                if !observer.delivery.isInPost { note(0, waitingFor: observer) }
            case .posted(let post):
                newcomers.notePost(of: post.subject) { observer, step in
                    switch step {
                    case .first: with(observer) { $0.deliveries.increment(by: 0) }
                    case .last:
                        if wasReached(observer) { break }
                        count("tidings.warnings", of: observer.subject.label, "never_called", observer)
                    }
                }
                posts.with(PlacedSubject(post.subject, at: post.place)) { instruments in
                    instruments.count.increment()
                    if post.observers == 0 { instruments.unobserved.increment() }
                    if let duration = post.duration { instruments.duration.recordNanoseconds(duration.nanoseconds) }
                }
            case .queued(let observer, let waiting):
                if !observer.delivery.isInPost { note(waiting, waitingFor: observer) }
            case .delivered(let delivery):
                measure(delivery)
            case .dropped(let observer, _):
                guard observer.delivery.isInPost else {
                    return with(observer, isReached: true) { $0.dropped?.increment() }
                }
                instruments.counter("tidings.dropped", Optional(observer).labels).increment()
            case .failed(let failure):
                count(
                    failure.retry == nil ? "tidings.failures" : "tidings.retries",
                    of: failure.observer?.subject.label ?? failure.notification, failure.kind, failure.observer)
            case .warning(.retries): break
            case .warning(let warning):
                count(
                    warning.isRecovery ? "tidings.recoveries" : "tidings.warnings",
                    of: warning.observer.subject.label, warning.kind, warning.observer)
            @unknown default:
                break
            }
        }

        private func count(_ label: String, of notification: String, _ kind: String, _ observer: ObserverDescription?) {
            var (name, group) = ("none", "none")
            if let observer { with(observer) { (name, group) = ($0.name, $0.group) } }
            let dimensions = [("notification", notification), ("kind", kind), ("observer", name), ("group", group)]
            instruments.counter(label, dimensions).increment()
        }

        /// Whether a notification has reached an observer. True for observers beyond the first thousand.
        private func wasReached(_ observer: ObserverDescription) -> Bool {
            var wasReached = true
            observers.with(KnownObserver(observer: observer)) { known in
                wasReached = known.instruments == nil || known.wasReached.load(ordering: .relaxed)
            }
            return wasReached
        }

        private func measure(_ delivery: NotificationDelivery) {
            let observer = delivery.observer
            with(observer, isReached: true) { instruments in
                instruments.deliveries.increment()
                if let duration = delivery.duration { instruments.duration?.recordNanoseconds(duration.nanoseconds) }
                if let waited = delivery.waited { instruments.waited?.recordNanoseconds(waited.nanoseconds) }
            }
            if !observer.delivery.isInPost { note(delivery.waiting, waitingFor: observer) }
        }

        private func note(_ depth: Int, waitingFor observer: ObserverDescription) {
            let previous = depths.withLock { depths in
                depth == 0 ? depths.removeValue(forKey: observer.id) : depths.updateValue(depth, forKey: observer.id)
            }
            let change = depth - (previous ?? 0)
            if change == 0 { return }
            with(observer, isReached: depth > 0) { $0.depth?.add(change) }
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
            case .growingQueue: "growing_queue"
            case .busyMainActor: "busy_main_actor"
            case .drops: "drops"
            case .reachedNobody: "reached_nobody"
            case .slowOnMainActor: "slow_on_main_actor"
            case .failures: "failures"
            case .retries: "retries"
            case .lastingOwner: "lasting_owner"
            case .slowCall: "slow_call"
            case .stalledQueue: "stalled_queue"
            case .callRecovered: "call_recovered"
            case .registeredAgain: "registered_again"
            @unknown default: "other"
            }
        }
    }
#else
    public import Tidings

    /// A stand-in for programs without the trait `Metrics`. Using it is a compiler error that names the trait.
    @available(
        *, unavailable,
        message: "needs a trait: in Package.swift, add traits: [\"Metrics\"] to the dependency on tidings"
    )
    public struct MetricsMonitor: NotificationMonitor {
        /// Accepts the same arguments as the real initializer, so the compiler reports only the missing trait.
        public init(factory: Any? = nil, dimensions: [(String, String)] = [], seriesLimit: Int = 100) {
            fatalError("unavailable")
        }

        /// Does nothing.
        public func receive(_ event: NotificationEvent) {}
    }
#endif
