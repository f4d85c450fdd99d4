import OpenCombine

final class OpenCombineSubject: ClosureSignal, @unchecked Sendable {  // `tokens` is only used during setup
    var tokens: [AnyCancellable] = []
    private let subject = PassthroughSubject<Ping, Never>()

    func connect<Kind: HandlerKind>(_ kind: Kind.Type, _ index: Int) -> AnyCancellable {
        subject.sink { $0.sink.add(Kind.weight(index)) }
    }

    func connectIdle() -> AnyCancellable {
        subject.sink { $0.sink.add(0) }
    }

    func disconnect(_ token: AnyCancellable) { token.cancel() }

    func post(_ times: Int, to sink: Sink) {
        for _ in 0..<times { subject.send(Ping(sink: sink)) }
    }

    func sibling() -> any Signal { OpenCombineSubject() }
}
