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
                // The code of the second type is laid out differently, and may be slower by itself.
                .racers(
                    peer.subject.with("one thread, two types"), parameter: 10, [signal, sibling], on: 1, observers: 10),
                .racers(peer.subject.with("two threads, two types"), parameter: 10, [signal, sibling], observers: 10),
            ]
        } + LineTransfer.contenders(parameter: 10)
    }
}

extension Contender {
    /// Posts from several threads side by side, each into its sink.
    ///
    /// - Parameters:
    ///   - subject: Who is measured.
    ///   - parameter: What the results are listed under.
    ///   - signals: What is posted to, the same number of times each.
    ///   - threads: How many threads share the signals out among them; one for each signal if it is not said.
    ///   - observers: How many observers each signal has.
    /// - Returns: The contender.
    @MainActor
    static func racers(
        _ subject: Subject, parameter: Int, _ signals: [any Signal], on threads: Int? = nil, observers: Int
    ) -> Contender {
        let threads = threads ?? signals.count
        let pages = (0..<threads).map { _ in Sinks() }
        let total = Handler.total(observers)
        return Contender(subject: subject, parameter: parameter) { count in
            let share = max(1, count / signals.count)
            let sinks = pages.map { $0.next() }
            var sample = Race.run(threads) { thread in
                for index in stride(from: thread, to: signals.count, by: threads) {
                    signals[index].post(share, to: sinks[thread])
                }
            }
            try Miscount.check(subject, sinks.reduce(0) { $0 + $1.take() }, share * signals.count * total)
            sample.value *= Double(count) / Double(share * signals.count)
            return sample
        }
    }
}
