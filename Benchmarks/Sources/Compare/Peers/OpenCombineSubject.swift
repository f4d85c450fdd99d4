import OpenCombine

/// OpenCombine's `PassthroughSubject` with sinks.
final class OpenCombineSubject: Signal, @unchecked Sendable {  // `tokens` is only touched while it is set up
    private let subject = PassthroughSubject<Ping, Never>()
    private var tokens: [AnyCancellable] = []

    func reserve(_ count: Int) { tokens.reserveCapacity(count) }

    func add(_ index: Int) { tokens.append(connect(index)) }

    func addAndCancel(_ times: Int) {
        for _ in 0..<times { connect(Handler.idle).cancel() }
    }

    func post(_ times: Int, to sink: Sink) {
        for _ in 0..<times { subject.send(Ping(sink: sink)) }
    }

    func sibling() -> any Signal { OpenCombineSubject() }

    private func connect(_ index: Int) -> AnyCancellable {
        subject.sink(receiveValue: Handler.make(index))
    }
}
