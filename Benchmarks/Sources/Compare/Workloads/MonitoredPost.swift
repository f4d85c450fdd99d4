import Logging
import Tidings
import TidingsServer

extension Workload {
    static let monitoredPost = Workload(
        name: "post with a monitor", parameterName: "observers", unit: .nanoseconds(per: "post"), statistic: .least
    ) {
        [1, 10, 100].flatMap { observers -> [Contender] in
            let alone = Watch.inPost.map { watch -> Contender in
                let signal = watch.signal(observers: observers)
                return .poster(watch.subject, parameter: observers, signal, observers: observers)
            }
            guard Machine.runsTwoThreads else { return alone }
            let side = [Watch.nothing, .everything, .posts].flatMap { watch -> [Contender] in
                let signal = watch.signal(observers: observers)
                return [1, 2].map { threads in
                    let signals = [[any Signal]](repeating: [signal], count: threads)
                    let subject = watch.subject.with(threads == 1 ? "one thread" : "two threads")
                    return .racers(subject, parameter: observers, signals, observers: observers)
                }
            }
            return alone + side
        }
    }
}

enum Watch: CaseIterable {
    case nothing
    /// A monitor that receives only failures, drops or warnings, and ignores them.
    case failures, drops, warnings
    /// A log at the level `info`, and metrics that are counted with atomic numbers.
    case log, countedMetrics
    /// A monitor that receives all events, or only posts, and ignores them.
    case everything, posts
    /// The monitors that pass events to the logging, metrics and tracing packages, without a backend. No event is
    /// logged.
    case logging, metrics, tracing

    /// The cases that are measured with observers that run synchronously, during the post.
    static let inPost: [Watch] = [.nothing, .everything, .posts, .logging, .metrics, .tracing]

    var subject: Subject {
        switch self {
        case .nothing: .tidings
        case .failures: .tidings.with("monitored, failures only")
        case .drops: .tidings.with("monitored, drops only")
        case .warnings: .tidings.with("monitored, warnings only")
        case .log: .tidings.with("LoggingMonitor at info")
        case .countedMetrics: .tidings.with("MetricsMonitor with atomics")
        case .everything: .tidings.with("monitored")
        case .posts: .tidings.with("monitored, posts only")
        case .logging: .tidings.with("LoggingMonitor")
        case .metrics: .tidings.with("MetricsMonitor")
        case .tracing: .tidings.with("TracingMonitor")
        }
    }

    @MainActor
    var center: NativeNotificationCenter {
        let center = NativeNotificationCenter()
        if let attachment = attach(to: center) { Attachments.all.append(attachment) }
        return center
    }

    private func attach(to center: NativeNotificationCenter) -> MonitorAttachment? {
        switch self {
        case .nothing: nil
        case .everything: center.attach(Silent())
        case .failures: center.attach(Silent(), interests: .failures)
        case .drops: center.attach(Silent(), interests: .drops)
        case .warnings: center.attach(Silent(), interests: .warnings)
        case .log: center.attach(LoggingMonitor(logger(.info)))
        case .countedMetrics: center.attach(MetricsMonitor(factory: CountingMetrics()))
        case .posts: center.attach(Silent(), interests: .posts)
        case .logging: center.attach(LoggingMonitor(logger(.critical)))
        case .metrics: center.attach(MetricsMonitor())
        case .tracing: center.attach(TracingMonitor())
        }
    }

    private func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "org.example.benchmark") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = level
        return logger
    }

    @MainActor
    func signal(observers: Int) -> TidingsCenter {
        let signal = TidingsCenter(center: center)
        signal.add(handlers: observers)
        return signal
    }
}

extension Bar {
    static let monitors: [Bar] =
        [
            (Watch.everything, 1, 19, 29.5, 14.0), (.everything, 10, 32, 32, 15), (.everything, 100, 38, 38, 12),
            (.posts, 1, 13.5, 18, 6.6), (.posts, 10, 7.5, 7.5, 3.3), (.posts, 100, 2.7, 2.7, 1.2),
        ].flatMap { watch, observers, held, heldOnAMD, goal in
            [
                Bar(
                    "post with a monitor", observers, watch.subject, .atMost(held), .tidings, towards: .atMost(goal),
                    onAMD: .atMost(heldOnAMD)),
                Bar(
                    "post with a monitor", observers, watch.subject.with("two threads"), .faster(1.5),
                    watch.subject.with("one thread")),
            ]
        } + [1, 10, 100].flatMap { adapters("post with a monitor", $0) }
        + burstsIntoActors
        + [1, 10, 1000].map { Bar("heap allocations", $0, Watch.everything.subject, .value(0)) }

    /// The cost of a monitor in asynchronous deliveries. Events that the monitor doesn't receive cost almost nothing.
    private static let burstsIntoActors: [Bar] =
        [
            (Watch.failures, 1.05, 1.05), (.drops, 1.05, 1.05), (.warnings, 1.1, 1.05), (.log, 1.1, 1.1),
            (.posts, 6, 3),
            (.everything, 10, 4), (.countedMetrics, 15, 3),
        ].map { watch, held, goal in
            Bar(monitoredBurst, 1, watch.subject, .atMost(held), .tidings, towards: .atMost(goal))
        } + adapters(monitoredBurst, 1)

    private static let monitoredBurst = "actor observer with a monitor: processor time"

    private static func adapters(_ workload: String, _ observers: Int) -> [Bar] {
        [(Watch.logging, 1.5), (.metrics, 2), (.tracing, 3)].map { watch, limit in
            Bar(workload, observers, watch.subject, .atMost(limit), Watch.everything.subject)
        }
    }
}

@MainActor
private enum Attachments {
    static var all: [MonitorAttachment] = []
}

private struct Silent: NotificationMonitor {
    func receive(_ event: NotificationEvent) {}
}
