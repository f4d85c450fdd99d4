/// A consumer of the messages of a ``MessageBus``: a class, a main-actor class or an actor.
///
/// The implementation of ``consume(_:)`` doesn't have to be `async` or throw. In an actor or a main-actor class, it is
/// isolated to that actor.
///
/// ```swift
/// actor Tracker: MessageConsumer {
///     func consume(_ message: AppMessage) {
///         switch message {
///         case .article(let id, .opened): opened.append(id)
///         case .user(.signedIn): opened = []
///         default: break
///         }
///     }
/// }
/// ```
///
/// Mark a main-actor class with `@MainActor`, even in a module whose default isolation is the main actor. That default
/// doesn't apply to types that conform to a `Sendable` protocol, so the compiler would reject mutable stored
/// properties.
///
/// ```swift
/// @MainActor final class Badge: MessageConsumer {
///     var count = 0
///     func consume(_ message: AppMessage) { count += 1 }
/// }
/// ```
public protocol MessageConsumer<Message>: AnyObject, Sendable {
    /// The type of the messages, usually an enum.
    associatedtype Message: Sendable

    /// Handles a message. The next message waits until this method has returned, even if the consumer is removed from
    /// the bus and added again. Calls from different buses can overlap.
    ///
    /// - Parameter message: The message.
    /// - Throws: Any error. Monitors receive ``NotificationEvent/failed(_:)``. By default, the consumer still receives
    ///   the next message.
    func consume(_ message: Message) async throws
}

/// The part of a bus that dispatches messages. Code that depends on this protocol can be tested with a replacement.
///
/// ```swift
/// struct ArticleView {
///     let messages: any MessageProducer<AppMessage>
///     func open(_ id: Article.ID) { messages.dispatch(.article(id, .opened)) }
/// }
/// ```
public protocol MessageProducer<Message>: Sendable {
    /// The type of the messages, usually an enum.
    associatedtype Message: Sendable

    /// Sends a message to all consumers, and returns at once.
    ///
    /// - Parameter message: The message.
    func dispatch(_ message: Message)
}

/// The isolation in which a consumer handles its messages, as in `bus.add(tracker, on: .main)`.
public struct ConsumerDelivery: Sendable {
    /// The consumer is called on the main actor.
    public static let main = ConsumerDelivery()

    private init() {}

    /// Unavailable: use `.main` for the main actor.
    @available(*, unavailable, renamed: "main")
    public static var mainActor: ConsumerDelivery { .main }
}
