/// How one consumer of a ``MessageBus`` stands, as of the moment when it was asked for. It keeps nothing alive.
public struct ConsumerStatus: Hashable, Sendable {
    /// The consumer's type and address.
    public let consumer: String

    /// Where it was added.
    public let place: SourcePlace

    /// How many messages wait for it; the one that it is working on does not.
    public let queued: Int

    /// Whether it is working on a message.
    public let isRunning: Bool
}

extension MessageBus {
    /// Who consumes the messages, and how many wait for each. Consumers that are gone are not listed.
    public var consumers: [ConsumerStatus] {
        // Looking at a weak reference may run the `deinit` of what it referred to, so no lock is held.
        let all = state.withLock { $0.subscribers }.values
        return all.compactMap { subscriber in
            guard let consumer = subscriber.lifetime.words else { return nil }
            let status = subscriber.mailbox.status
            return ConsumerStatus(
                consumer: consumer, place: subscriber.place, queued: status.queued, isRunning: status.isRunning)
        }
        .sorted { $0.consumer < $1.consumer }
    }
}
