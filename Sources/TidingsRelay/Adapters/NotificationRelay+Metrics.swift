#if Metrics
    public import CoreMetrics

    extension NotificationRelay {
        /// Measures the lag of the relay with swift-metrics, every ``RelayOptions/lagInterval`` until the relay ends.
        ///
        /// | metric | kind | dimensions |
        /// |---|---|---|
        /// | `tidings.relay.backlog` | gauge: notifications that haven't been delivered to any program yet | `notification`, `stream`, `group` |
        /// | `tidings.relay.in_progress` | gauge: delivered notifications that haven't been acknowledged yet | `notification`, `stream`, `group` |
        /// | `tidings.relay.redelivered` | gauge: notifications in progress that were delivered more than once | `notification`, `stream`, `group` |
        /// | `tidings.relay.dead_letters` | gauge: dead letters | `notification`, `stream`, `group` |
        /// | `tidings.relay.age` | gauge, in seconds: age of the oldest unhandled notification | `notification`, `stream`, `group` |
        /// | `tidings.relay.unsent`, `tidings.relay.unsent_bytes` | gauges: number and bytes of the durable notifications in the send buffer | |
        /// | `tidings.relay.connected` | gauge: 1 while the relay is connected | |
        /// | `tidings.relay.lag_fails` | gauge: 1 while the server doesn't report the lag of the routes | |
        ///
        /// Each incoming durable route has its own dimensions. `notification` is the notification's name on the wire,
        /// and `group` is the name of the route's group. For a route without a group, `group` is the name of the
        /// route's consumer. If the route doesn't set a consumer either, `group` is the name of the program. All
        /// programs in a group measure the same values, so use the maximum of these values, not the sum. Without a
        /// response from the server, the gauges of routes keep their values.
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

    private final class RelayMetrics: Sendable {
        private let factory: any MetricsFactory
        private let dimensions: [(String, String)]
        private let gauges = Lock<[[String]: Gauge]>([:])

        init(_ factory: any MetricsFactory, _ dimensions: [(String, String)]) {
            self.factory = factory
            self.dimensions = dimensions
        }

        func record(_ lag: LagReport) {
            record(lag.outgoing, as: "unsent")
            record(lag.outgoingBytes, as: "unsent_bytes")
            record(lag.isConnected ? 1 : 0, as: "connected")
            record(lag.error == nil ? 0 : 1, as: "lag_fails")
            guard lag.isConnected, lag.error == nil else { return }
            for route in lag.routes {
                let own = [("notification", route.notification), ("stream", route.stream), ("group", route.group)]
                record(route.waiting, as: "backlog", own)
                record(route.inProgress, as: "in_progress", own)
                record(route.redelivered, as: "redelivered", own)
                record(route.deadLetters, as: "dead_letters", own)
                record(route.oldestAge.map { $0 / .seconds(1) } ?? 0, as: "age", own)
            }
        }

        private func record(_ value: some BinaryInteger, as name: String, _ own: [(String, String)] = []) {
            record(Double(value), as: name, own)
        }

        private func record(_ value: Double, as name: String, _ own: [(String, String)]) {
            let key = [name] + own.map(\.1)
            let known = gauges.withLock { $0[key] }
            // No lock is held while foreign code runs. Overlapping calls may create a gauge twice, which is harmless.
            let gauge = known ?? Gauge(label: "tidings.relay.\(name)", dimensions: own + dimensions, factory: factory)
            if known == nil { gauges.withLock { $0[key] = gauge } }
            gauge.record(value)
        }
    }
#endif
