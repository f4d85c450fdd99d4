/// Posting from two threads, as against one.
extension Workload {
    static let twoThreads = Workload(
        name: "two posting threads", parameterName: "observers", unit: .nanoseconds(per: "post")
    ) {
        guard Machine.runsTwoThreads else { return [] }
        return Peer.threadSafe.flatMap { peer -> [Contender] in
            guard let signal = peer.make() else { return [] }
            let sibling = signal.sibling()
            signal.add(handlers: 10)
            sibling.add(handlers: 10)
            return [
                .racers(peer.subject.with("one thread"), parameter: 10, [signal], observers: 10),
                .racers(peer.subject.with("two threads"), parameter: 10, [signal, signal], observers: 10),
                .racers(peer.subject.with("two threads, two types"), parameter: 10, [signal, sibling], observers: 10),
            ]
        } + LineTransfer.contenders(parameter: 10)
    }
}

extension Contender {
    /// Posts from several threads side by side, each to its signal and into its sink.
    @MainActor
    static func racers(_ subject: Subject, parameter: Int, _ signals: [any Signal], observers: Int) -> Contender {
        let pages = signals.map { _ in Sinks() }
        let total = Handler.total(observers)
        return Contender(subject: subject, parameter: parameter) { count in
            let share = max(1, count / signals.count)
            let sinks = pages.map { $0.next() }
            var sample = Race.run(signals.count) { signals[$0].post(share, to: sinks[$0]) }
            for sink in sinks { try Miscount.check(subject, sink.take(), share * total) }
            sample.value *= Double(count) / Double(share * signals.count)
            return sample
        }
    }
}
