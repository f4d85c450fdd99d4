import Synchronization

extension Workload {
    static let churn = Workload(
        name: "post while another thread adds and cancels", parameterName: "observers", unit: .nanoseconds(per: "post")
    ) {
        guard Machine.runsTwoThreads else { return [] }
        return Peer.threadSafe.flatMap { peer -> [Contender] in
            guard let signal = peer.make() else { return [] }
            signal.add(handlers: 100)
            return [
                .disturbed(peer.subject, signal, observers: 100),
                .racers(peer.subject.with("undisturbed"), parameter: 100, [[signal]], observers: 100),
            ]
        } + LineTransfer.contenders(parameter: 100)
    }
}

extension Contender {
    @MainActor
    fileprivate static func disturbed(_ subject: Subject, _ signal: any Signal, observers: Int) -> Contender {
        let total = Handler.total(observers)
        return Contender(subject: subject, parameter: observers) { count in
            let sink = Sink()
            let isOver = Flag()
            let sample = Race.run(2) { index in
                if index == 0 {
                    signal.post(count, to: sink)
                    isOver.raise()
                } else {
                    while !isOver.isRaised { signal.addAndCancel(8) }
                }
            }
            try Miscount.check(subject, sink.take(), count * total)
            return sample
        }
    }
}

private final class Flag: Sendable {
    private let state = Atomic<Bool>(false)

    var isRaised: Bool { state.load(ordering: .acquiring) }

    func raise() { state.store(true, ordering: .releasing) }
}
