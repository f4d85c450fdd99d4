/// Something that takes the messages of a ``MessageBus``: a class, a main-actor class or an actor.
///
/// The method need not be `async`. In an actor, or a main-actor class, it runs there.
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
public protocol MessageConsumer<Message>: AnyObject, Sendable {
    /// The messages, as a rule an enum.
    associatedtype Message: Sendable

    /// Takes a message. The next one waits until this has returned.
    ///
    /// - Parameter message: The message.
    func consume(_ message: Message) async
}
