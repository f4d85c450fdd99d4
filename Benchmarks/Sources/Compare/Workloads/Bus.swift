import Tidings

extension Workload {
    static let bus = Workload(
        name: "bus, burst of 10,000", parameterName: "consumers", unit: .nanoseconds(per: "delivery"), count: 10_000
    ) {
        [1, 10].flatMap { [.bus(consumers: $0), .asyncMessages(to: $0)] }
    }
}

extension Contender {
    @MainActor
    fileprivate static func bus(consumers: Int) -> Contender {
        let bus = MessageBus<Ping>()
        let actors = (0..<consumers).map { _ in CountingActor() }
        let sink = Sink()
        for actor in actors { bus.add(actor) }
        return .burst(.tidings, to: actors.map(\.tally), keeping: actors) { count in
            for _ in 0..<count { bus.dispatch(Ping(sink: sink)) }
        }
    }
}

extension CountingActor: MessageConsumer {
    func consume(_ message: Ping) { add() }
}
