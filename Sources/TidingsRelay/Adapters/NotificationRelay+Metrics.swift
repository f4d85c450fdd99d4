#if Metrics
    public import CoreMetrics
    import Tidings

    extension NotificationRelay {
        /// Measures the lag of the relay with swift-metrics, every ``RelayOptions/lagInterval`` until it has ended.
        ///
        /// | metric | kind | dimensions |
        /// |---|---|---|
        /// | `tidings.relay.backlog` | gauge: notifications that weren't delivered to any program yet | `notification`, `stream`, `group` |
        /// | `tidings.relay.in_progress` | gauge: notifications that were delivered and not acknowledged yet | `notification`, `stream`, `group` |
        /// | `tidings.relay.redelivered` | gauge: those that were delivered more than once | `notification`, `stream`, `group` |
        /// | `tidings.relay.dead_letters` | gauge: dead letters | `notification`, `stream`, `group` |
        /// | `tidings.relay.age` | gauge, in seconds: age of the oldest one that isn't handled | `notification`, `stream`, `group` |
        /// | `tidings.relay.unsent`, `tidings.relay.unsent_bytes` | gauges: notifications that wait here to be stored | |
        /// | `tidings.relay.connected` | gauge: 1 while the relay is connected | |
        /// | `tidings.relay.lag_fails` | gauge: 1 while the server doesn't report the lag of the routes | |
        ///
        /// Each incoming durable route has its own dimensions: the notification's name on the wire, and the group of the route, its
        /// consumer, or the program. All programs that share a group measure the same values, so use the maximum, not the sum. While
        /// there is no connection, the gauges of routes keep their values.
        ///
        /// - Parameters:
        ///   - factory: The factory of gauges.
        ///   - dimensions: Dimensions to add to every metric.
        public func measure(
            with factory: any MetricsFactory = MetricsSystem.factory, dimensions: [(String, String)] = []
        ) {
            let metrics = RelayMetrics(factory, dimensions)
            lagging.tell { metrics.record($0) }
        }
    }

    /// The instruments of a relay.
    private final class RelayMetrics: Sendable {
        private struct Instruments: Sendable {
            let backlog: Gauge, inProgress: Gauge, redelivered: Gauge, deadLetters: Gauge, age: Gauge
        }

        /// The identity of a route.
        private struct Key: Hashable {
            let notification, stream, group: String
        }

        private let factory: any MetricsFactory
        private let dimensions: [(String, String)]
        private let depth: Gauge, bytes: Gauge, connected: Gauge, lagFails: Gauge
        private let instruments = Lock<[Key: Instruments]>([:])

        init(_ factory: any MetricsFactory, _ dimensions: [(String, String)]) {
            self.factory = factory
            self.dimensions = dimensions
            func gauge(_ name: String) -> Gauge {
                Gauge(label: "tidings.relay.\(name)", dimensions: dimensions, factory: factory)
            }
            depth = gauge("unsent")
            bytes = gauge("unsent_bytes")
            connected = gauge("connected")
            lagFails = gauge("lag_fails")
        }

        func record(_ lag: LagReport) {
            depth.record(lag.outgoing)
            bytes.record(lag.outgoingBytes)
            connected.record(lag.isConnected ? 1 : 0)
            lagFails.record(lag.error == nil ? 0 : 1)
            // Without a new response there is no new information about the routes.
            guard lag.isConnected, lag.error == nil else { return }
            for route in lag.routes {
                let instruments = instruments(of: route)
                instruments.backlog.record(route.waiting)
                instruments.inProgress.record(route.inProgress)
                instruments.redelivered.record(route.redelivered)
                instruments.deadLetters.record(route.deadLetters)
                instruments.age.record(route.oldestAge.map { $0 / .seconds(1) } ?? 0)
            }
        }

        private func instruments(of route: LagReport.Route) -> Instruments {
            let key = Key(notification: route.notification, stream: route.stream, group: route.group)
            if let known = instruments.withLock({ $0[key] }) { return known }
            let all = [("notification", key.notification), ("stream", key.stream), ("group", key.group)] + dimensions
            func gauge(_ name: String) -> Gauge {
                Gauge(label: "tidings.relay.\(name)", dimensions: all, factory: factory)
            }
            // The instruments are created without the lock, because the factory is foreign code. Only one measurement
            // runs at a time.
            let new = Instruments(
                backlog: gauge("backlog"), inProgress: gauge("in_progress"), redelivered: gauge("redelivered"),
                deadLetters: gauge("dead_letters"), age: gauge("age"))
            instruments.withLock { $0[key] = new }
            return new
        }
    }
#endif
