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
                .racers(peer.subject.with("one thread"), parameter: 10, [[signal]], observers: 10),
                .racers(peer.subject.with("two threads"), parameter: 10, [[signal], [signal]], observers: 10),
                .racers(peer.subject.with("one thread, two types"), parameter: 10, [[signal, sibling]], observers: 10),
                .racers(
                    peer.subject.with("two threads, two types"), parameter: 10, [[signal], [sibling]], observers: 10),
            ]
        } + LineTransfer.contenders(parameter: 10)
    }
}

extension Contender {
    /// Starts one thread for each array in `signals`. The thread posts to all signals of its array, with its own sink.
    @MainActor
    static func racers(_ subject: Subject, parameter: Int, _ signals: [[any Signal]], observers: Int) -> Contender {
        let total = Handler.total(observers)
        return Contender(subject: subject, parameter: parameter) { count in
            let sinks = signals.map { _ in Sink() }
            let threads = signals.count
            let each = signals[0].count
            let share = max(1, count / threads / each)
            var sample = Race.run(threads) { thread in
                for signal in signals[thread] { signal.post(share, to: sinks[thread]) }
            }
            for sink in sinks { try Miscount.check(subject, sink.take(), share * each * total) }
            sample.value *= Double(count) / Double(share * each * threads)
            return sample
        }
    }
}
