/// Workloads that are drawn as curves and have no limits.
extension Workload {
    /// Each number of observers is a separate workload. In a single workload, the observers of all peers would exist at
    /// the same time, and evict each other from the caches.
    static let observerCurve = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].map { observers in
        Workload(name: "curve: cost of a post", parameterName: "observers", unit: .nanoseconds(per: "post")) {
            Peer.installed.compactMap { $0.poster(observers: observers) }
        }
    }

    /// Measures 1, 2, 4 and more threads, up to twice the number of cores, but at least up to four.
    static let threadCurve = Workload(
        name: "curve: posting threads", parameterName: "threads", unit: .nanoseconds(per: "post")
    ) {
        let most = max(4, 2 * Machine.cores)
        let counts = Swift.sequence(first: 1) { 2 * $0 <= most ? 2 * $0 : nil }
        return counts.flatMap { threads in
            Peer.threadSafe.compactMap { peer -> Contender? in
                guard let signal = peer.make() else { return nil }
                signal.add(handlers: 10)
                let signals = [[any Signal]](repeating: [signal], count: threads)
                return .racers(peer.subject, parameter: threads, signals, observers: 10)
            } + LineTransfer.contenders(parameter: threads)
        }
    }
}
