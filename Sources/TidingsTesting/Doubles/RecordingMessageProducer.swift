public import Tidings

/// A message producer that replaces a message bus in a test, and records the dispatched messages.
///
/// ```swift
/// let messages = RecordingMessageProducer<AppMessage>()
/// ArticleView(messages: messages).open(7)
/// #expect(messages.dispatched == [.article(7, .opened)])
/// ```
public final class RecordingMessageProducer<Message: Sendable>: MessageProducer {
    private let storage = Lock<[Message]>([])

    /// Creates a producer without messages.
    public init() {}

    /// The dispatched messages, in order.
    public var dispatched: [Message] { storage.withLock { $0 } }

    /// Records a message.
    public func dispatch(_ message: Message) { storage.withLock { $0.append(message) } }
}
