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
    public final class MetricsMonitor: NotificationMonitor {
        private let instruments: Instruments
        private let depths = QueueDepths()

        /// Makes a monitor that measures with a factory.
        ///
        /// - Parameters:
        ///   - factory: What makes counters, timers and gauges.
        ///   - dimensions: Dimensions to add to every metric, such as the name of the center.
        public init(factory: any MetricsFactory = MetricsSystem.factory, dimensions: [(String, String)] = []) {
            instruments = Instruments(factory: factory, dimensions: dimensions)
        }

        /// Measures an event.
        ///
        /// - Parameter event: The event.
        public func receive(_ event: NotificationEvent) {
            switch event {
            case .registered(let observer):
                instruments.count("tidings.registrations", observer.dimensions)
            case .ended(let observer):
                instruments.count("tidings.ends", observer.dimensions)
                note(depth: nil, of: observer)
            case .posted(let post):
                let place = post.place.map { "\($0)" } ?? "unknown"
                instruments.count("tidings.posts", post.subject.dimensions + [("posted_at", place)])
                if let duration = post.duration {
                    instruments.time("tidings.post.duration", post.subject.dimensions, duration)
                }
            case .queued(let observer, let waiting):
                note(depth: waiting, of: observer)
            case .delivered(let delivery):
                measure(delivery)
            case .dropped(let observer, _):
                instruments.count("tidings.dropped", observer.dimensions)
            case .failed(let failure):
                instruments.count("tidings.failures", [("notification", failure.notification), ("kind", failure.kind)])
            case .warning(let warning):
                let observed = warning.observer.subject.dimensions
                instruments.count("tidings.warnings", observed + [("kind", warning.kind)])
            @unknown default:
                break
            }
        }

        private func measure(_ delivery: NotificationDelivery) {
            let observer = delivery.observer
            instruments.count("tidings.deliveries", observer.dimensions)
            if let duration = delivery.duration {
                instruments.time("tidings.delivery.duration", observer.dimensions, duration)
            }
            if let waited = delivery.waited {
                instruments.time("tidings.queue.wait_time", observer.dimensions, waited)
                note(depth: delivery.waiting, of: observer)
            }
        }

        private func note(depth: Int?, of observer: ObserverDescription) {
            guard let total = depths.note(depth, of: observer) else { return }
            instruments.gauge(
                "tidings.queue.depth", observer.dimensions + [("registered_at", "\(observer.place)")], total)
        }
    }

    extension NotificationSubject {
        fileprivate var dimensions: [(String, String)] { [("notification", name)] }
    }

    extension ObserverDescription {
        fileprivate var dimensions: [(String, String)] { subject.dimensions + [("delivery", delivery.label)] }
    }

    extension ObserverWarning {
        fileprivate var kind: String {
            switch self {
            case .longQueue: "long_queue"
            case .slowOnMainActor: "slow_on_main_actor"
            case .lastingOwner: "lasting_owner"
            @unknown default: "other"
            }
        }
    }
#else
    /// Names the trait without which this module is empty.
    @available(*, unavailable, message: "enable the trait 'Metrics' of the package 'tidings' to use this")
    public enum MetricsMonitor {}
#endif
