/// Adding and cancelling an observer, its token included: alone, and beside a million others.
extension Workload {
    static let addAndCancel = Workload(
        name: "add and cancel", parameterName: "other observers", unit: .nanoseconds(per: "observer")
    ) {
        let alone = Peer.installed.compactMap { peer in
            peer.make().map { Contender.adder(peer.subject, $0, others: 0) }
        }
        return alone + [.adder(.tidings, TidingsCenter(), others: 1_000_000)]
    }
}

extension Contender {
    /// Adds and cancels, and verifies with a post that only the others are left.
    @MainActor
    fileprivate static func adder(_ subject: Subject, _ signal: any Signal, others: Int) -> Contender {
        signal.add(handlers: others)
        return Contender(subject: subject, parameter: others) { count in
            Sample.onThread { signal.addAndCancel(count) }
        } finish: {
            let sink = Sink()
            signal.post(1, to: sink)
            try Miscount.check(subject, sink.take(), Handler.total(others))
        }
    }
}
