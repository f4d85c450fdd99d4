import Foundation

/// Foundation's typed messages for the main actor.
final class FoundationMainActorMessages: Signal, @unchecked Sendable {  // only used on the main actor
    fileprivate struct Message: NotificationCenter.MainActorMessage, SinkCarrier {
        typealias Subject = FoundationMainActorMessages
        let sink: Sink
    }

    private let center = NotificationCenter()
    private var tokens: [NotificationCenter.ObservationToken] = []

    func reserve(_ count: Int) { tokens.reserveCapacity(count) }

    func add(_ index: Int) { tokens.append(connect(index)) }

    func addAndCancel(_ times: Int) {
        for _ in 0..<times { center.removeObserver(connect(Handler.idle)) }
    }

    func post(_ times: Int, to sink: Sink) {
        MainActor.assumeIsolated {
            for _ in 0..<times { center.post(Message(sink: sink)) }
        }
    }

    func sibling() -> any Signal { FoundationMainActorMessages() }

    private func connect(_ index: Int) -> NotificationCenter.ObservationToken {
        center.addObserver(for: Message.self, using: Handler.make(index))
    }
}
