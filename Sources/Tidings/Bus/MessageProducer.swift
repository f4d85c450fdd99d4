/// What code that dispatches messages depends on, so that a test can stand in for the bus.
///
/// ```swift
/// struct ArticleView {
///     let messages: any MessageProducer<AppMessage>
///     func open(_ id: Article.ID) { messages.dispatch(.article(id, .opened)) }
/// }
/// ```
public protocol MessageProducer<Message>: Sendable {
    /// The messages, as a rule an enum.
    associatedtype Message: Sendable

    /// Sends a message to every consumer, and returns at once.
    ///
    /// - Parameter message: The message.
    func dispatch(_ message: Message)
}
