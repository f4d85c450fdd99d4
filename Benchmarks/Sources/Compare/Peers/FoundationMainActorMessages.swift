import Foundation

final class FoundationMainActorMessages: ClosureSignal, @unchecked Sendable {  // only used on the main actor
    private struct Message: NotificationCenter.MainActorMessage, SinkCarrier {
        typealias Subject = FoundationMainActorMessages
        let sink: Sink
    }

    var tokens: [NotificationCenter.ObservationToken] = []
    private let center = NotificationCenter()

    func connect<Kind: HandlerKind>(_ kind: Kind.Type, _ index: Int) -> NotificationCenter.ObservationToken {
        center.addObserver(for: Message.self) { $0.sink.add(Kind.weight(index)) }
    }

    func connectIdle() -> NotificationCenter.ObservationToken {
        center.addObserver(for: Message.self) { $0.sink.add(0) }
    }

    func disconnect(_ token: NotificationCenter.ObservationToken) { center.removeObserver(token) }

    func post(_ times: Int, to sink: Sink) {
        MainActor.assumeIsolated {
            for _ in 0..<times { center.post(Message(sink: sink)) }
        }
    }

    func sibling() -> any Signal { FoundationMainActorMessages() }
}
