/// The outcomes of a stored notification for the durable observers of a program.
public struct StoredReceipt: Hashable, Sendable, CustomStringConvertible {
    /// The outcome of one durable observer.
    @nonexhaustive
    public enum Outcome: Hashable, Sendable {
        /// The observer has handled the notification, or the observer's `where:` condition has rejected it.
        case handled
        /// The observer has failed with this error, and will receive the notification again unless you drop it.
        case failing(String)
        /// The observer has failed with this error, and the notification is now a dead letter.
        case deadLetter(String)
        /// The observer hasn't received the notification, or hasn't returned.
        case waiting
        /// Another program runs the observer. The outcome isn't known here.
        case elsewhere
        /// The observation has ended. The notification stays in the table for the next observer with the name.
        case ended
    }

    /// The identity of the notification: its ``StoredNotification/id``.
    public let id: String

    /// The outcome of each durable observer that this program had for the type when the notification was passed to the
    /// outbox, by name. For a relay that sends from the table, `handled` means that the stream has stored the
    /// notification.
    public let outcomes: [String: Outcome]

    /// Whether all observers in ``outcomes`` have handled the notification. True if there are none.
    public var isComplete: Bool { outcomes.values.allSatisfy { $0 == .handled } }

    /// The identity, and the outcome of each observer, on one line.
    public var description: String {
        let words = outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(id): \(words.isEmpty ? "no durable observers" : words.joined(separator: ", "))"
    }
}
