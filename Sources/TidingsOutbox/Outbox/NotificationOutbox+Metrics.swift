#if Metrics
    public import CoreMetrics

    extension NotificationOutbox {
        /// Measures the durable observers of this program with swift-metrics each time the outbox polls the store,
        /// until the outbox ends. See ``OutboxOptions/pollInterval``.
        ///
        /// | metric | kind | dimensions |
        /// |---|---|---|
        /// | `tidings.outbox.backlog` | gauge | `observer` |
        /// | `tidings.outbox.held` | gauge | `observer` |
        /// | `tidings.outbox.held_time` | gauge, in seconds | `observer` |
        /// | `tidings.outbox.runs` | gauge: 1 if this program runs the observer | `observer` |
        /// | `tidings.outbox.handled`, `tidings.outbox.failures`, `tidings.outbox.dead_letters` | counters | `observer` |
        /// | `tidings.outbox.removed`, `tidings.outbox.expired_dead_letters`, `tidings.outbox.expired_inbox_entries` | counters | |
        /// | `tidings.outbox.store_fails` | gauge: 1 while the store fails | |
        ///
        /// The dimension is the name of the durable observer, or `other` after the first hundred names.
        ///
        /// - Parameters:
        ///   - factory: The factory of counters and gauges.
        ///   - dimensions: Dimensions to add to every metric.
        public func measure(
            with factory: any MetricsFactory = MetricsSystem.factory, dimensions: [(String, String)] = []
        ) {
            let metrics = OutboxMetrics(factory, dimensions)
            core.add { [weak core] statuses, fails in
                metrics.record(statuses, storeFails: fails)
                if let core { metrics.record(core.removals.withLock { $0 }) }
            }
        }
    }

    private final class OutboxMetrics: Sendable {
        private struct Instruments: Sendable {
            let backlog: Gauge, held: Gauge, heldTime: Gauge, runs: Gauge
            let handled: Counter, failures: Counter, deadLetters: Counter
        }

        private struct State {
            var instruments: [String: Instruments] = [:]
            var counted: [String: DurableObserverStatus] = [:]
            var removed = OutboxRemovals()
        }

        private static let mostNames = 100

        private let factory: any MetricsFactory
        private let dimensions: [(String, String)]
        private let storeFails: Gauge
        private let removed: Counter, expiredDeadLetters: Counter, expiredInboxEntries: Counter
        private let state = Lock(State())

        init(_ factory: any MetricsFactory, _ dimensions: [(String, String)]) {
            self.factory = factory
            self.dimensions = dimensions
            storeFails = Gauge(label: "tidings.outbox.store_fails", dimensions: dimensions, factory: factory)
            func counter(_ name: String) -> Counter {
                Counter(label: "tidings.outbox.\(name)", dimensions: dimensions, factory: factory)
            }
            removed = counter("removed")
            expiredDeadLetters = counter("expired_dead_letters")
            expiredInboxEntries = counter("expired_inbox_entries")
        }

        func record(_ removals: OutboxRemovals) {
            let old = state.withLock { state in
                defer { state.removed = removals }
                return state.removed
            }
            removed.increment(by: removals.notifications - old.notifications)
            expiredDeadLetters.increment(by: removals.deadLetters - old.deadLetters)
            expiredInboxEntries.increment(by: removals.inboxEntries - old.inboxEntries)
        }

        func record(_ statuses: [DurableObserverStatus], storeFails fails: Bool) {
            storeFails.record(fails ? 1 : 0)
            // A gauge keeps only the last value, so the values of observers with the same label are combined.
            var gauges: [String: (backlog: Int, held: Int, heldTime: Double, runs: Int)] = [:]
            for status in statuses {
                let label = label(of: status.name)
                let known = gauges[label] ?? (0, 0, 0, 0)
                let seconds = status.heldFor.map { $0 / .seconds(1) } ?? 0
                gauges[label] = (
                    known.backlog + status.backlog, known.held + status.held, max(known.heldTime, seconds),
                    known.runs + (status.state == .running ? 1 : 0)
                )
                count(status, instruments(of: label))
            }
            let labels = state.withLock { Array($0.instruments.keys) }
            for label in labels {
                let (values, instruments) = (gauges[label] ?? (0, 0, 0, 0), instruments(of: label))
                instruments.backlog.record(values.backlog)
                instruments.held.record(values.held)
                instruments.heldTime.record(values.heldTime)
                instruments.runs.record(values.runs)
            }
        }

        private func count(_ status: DurableObserverStatus, _ instruments: Instruments) {
            let old = state.withLock { state in
                defer { state.counted[status.name] = status }
                return state.counted[status.name]
            }
            // When an observer is registered again, its counts start from zero.
            func added(_ value: KeyPath<DurableObserverStatus, Int>) -> Int {
                let (new, before) = (status[keyPath: value], old?[keyPath: value] ?? 0)
                return new >= before ? new - before : new
            }
            instruments.handled.increment(by: added(\.handled))
            instruments.failures.increment(by: added(\.failures))
            instruments.deadLetters.increment(by: added(\.deadLetters))
        }

        private func label(of name: String) -> String {
            state.withLock { $0.instruments[name] != nil || $0.instruments.count < Self.mostNames ? name : "other" }
        }

        private func instruments(of label: String) -> Instruments {
            if let known = state.withLock({ $0.instruments[label] }) { return known }
            let all = [("observer", label)] + dimensions
            func gauge(_ name: String) -> Gauge {
                Gauge(label: "tidings.outbox.\(name)", dimensions: all, factory: factory)
            }
            func counter(_ name: String) -> Counter {
                Counter(label: "tidings.outbox.\(name)", dimensions: all, factory: factory)
            }
            // The lock isn't held here, because the factory is foreign code. Only one task records, so no instrument is
            // created twice.
            let new = Instruments(
                backlog: gauge("backlog"), held: gauge("held"), heldTime: gauge("held_time"), runs: gauge("runs"),
                handled: counter("handled"), failures: counter("failures"), deadLetters: counter("dead_letters"))
            state.withLock { $0.instruments[label] = new }
            return new
        }
    }
#endif
