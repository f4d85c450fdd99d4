/// Something that takes the messages of a ``MessageBus``: a class, a main-actor class or an actor.
///
/// The method need not be `async` or throw. In an actor, or a main-actor class, it runs there.
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
/// A main-actor class says that it is one, also in a module whose default isolation is the main actor. The compiler exempts
/// types that conform to a `Sendable` protocol from that default; without the attribute it says of their variables that a
/// stored property of a `Sendable`-conforming class is mutable.
///
/// ```swift
/// @MainActor final class Badge: MessageConsumer {
///     var count = 0
///     func consume(_ message: AppMessage) { count += 1 }
/// }
/// ```
public protocol MessageConsumer<Message>: AnyObject, Sendable {
    /// The messages, as a rule an enum.
    associatedtype Message: Sendable

    /// Takes a message. The next one waits until this has returned, also if the consumer is removed from the bus and added to
    /// it again meanwhile. Buses do not wait for each other.
    ///
    /// - Parameter message: The message.
    /// - Throws: Any error. It ends nothing: the monitors of the bus are told ``NotificationEvent/failed(_:)``, and the next
    ///   message follows.
    func consume(_ message: Message) async throws
}

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

/// Where a consumer takes its messages, if it does not decide that itself, as in `bus.add(tracker, on: .main)`.
public struct ConsumerDelivery: Sendable {
    /// On the main actor.
    public static let main = ConsumerDelivery()

    private init() {}

    /// Cannot be used: the main actor is `.main`.
    @available(*, unavailable, renamed: "main")
    public static var mainActor: ConsumerDelivery { .main }
}
