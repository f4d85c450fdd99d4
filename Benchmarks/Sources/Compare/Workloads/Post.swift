extension Workload {
    static let post = Workload(
        name: "post", parameterName: "observers", unit: .nanoseconds(per: "post")
    ) {
        [0, 1, 10, 1000].flatMap { observers in
            Peer.installed.compactMap { $0.poster(observers: observers) }
        }
    }
}

extension Peer {
    /// Returns a contender that posts, and verifies that each post called each observer. Returns `nil` if the peer
    /// isn't installed.
    @MainActor
    func poster(observers: Int) -> Contender? {
        guard let signal = make() else { return nil }
        signal.add(handlers: observers)
        return .poster(subject, parameter: observers, signal, observers: observers)
    }
}

extension Contender {
    @MainActor
    static func poster(_ subject: Subject, parameter: Int, _ signal: any Signal, observers: Int) -> Contender {
        let total = Handler.total(observers)
        return Contender(subject: subject, parameter: parameter) { count in
            let sink = Sink()
            let sample = Sample.onThread { signal.post(count, to: sink) }
            try Miscount.check(subject, sink.take(), count * total)
            return sample
        }
    }
}
