public import Tidings

/// Stands in for a message bus in a test, and records what is dispatched.
///
/// ```swift
/// let messages = RecordingMessageProducer<AppMessage>()
/// ArticleView(messages: messages).open(7)
/// #expect(messages.dispatched == [.article(7, .opened)])
/// ```
public final class RecordingMessageProducer<Message: Sendable>: MessageProducer {
    private let storage = Lock<[Message]>([])

    /// Makes a producer to which nothing was dispatched.
    public init() {}

    /// What was dispatched, in order.
    public var dispatched: [Message] { storage.withLock { $0 } }

    /// Records a message.
    ///
    /// - Parameter message: The message.
    public func dispatch(_ message: Message) { storage.withLock { $0.append(message) } }
}
