/// The outcomes of the durable observers of a program for a stored notification.
public struct StoredReceipt: Hashable, Sendable {
    /// The outcome of one durable observer.
    @nonexhaustive
    public enum Outcome: Hashable, Sendable {
        /// The observer has handled it, or its condition has rejected it.
        case handled
        /// The observer has failed with this error, and receives it again unless it is dropped.
        case failing(String)
        /// The observer has failed with this error for the last time. The notification is a dead letter, which can be
        /// listed and redelivered.
        case deadLetter(String)
        /// The observer hasn't received it yet, or hasn't returned.
        case waiting
        /// Another program runs the observer, and its outcomes aren't known here.
        case elsewhere
        /// The observation has ended. The notification stays in the table for the next observer with the name.
        case ended
    }

    /// The identity of the notification: the ``StoredNotification/id``.
    public let id: String

    /// The outcome of each durable observer of the type that this program had when the notification was passed to the
    /// outbox, by name. For a relay that sends it from the table, `handled` means that the stream has it.
    public let outcomes: [String: Outcome]

    /// Whether each of them has handled it. It is true if none runs here.
    public var isComplete: Bool { outcomes.values.allSatisfy { $0 == .handled } }
}

extension StoredReceipt: CustomStringConvertible {
    /// The identity and the outcome of each observer, in one line.
    public var description: String {
        let words = outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(id): \(words.isEmpty ? "no durable observers" : words.joined(separator: ", "))"
    }
}
