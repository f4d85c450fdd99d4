/// What the durable observers of a program have done with a stored notification.
public struct StoredReceipt: Hashable, Sendable {
    /// What one durable observer has done with it.
    @nonexhaustive
    public enum Outcome: Hashable, Sendable {
        /// It has handled it; or its condition has refused it.
        case handled
        /// It has failed with this error, and gets it again.
        case failing(String)
        /// It has failed with this error for the last time. It is listed, and sent again by a call.
        case deadLetter(String)
        /// It has not got it yet, or has not returned.
        case waiting
        /// Another program runs it, which does not say here what it does.
        case elsewhere
        /// Its observation has ended; it waits in the table for the next one of the name.
        case ended
    }

    /// The identity of the notification: the ``StoredNotification/id``.
    public let id: String

    /// What each durable observer of the type has done that this program had when the notification was given to the outbox, by name. Of
    /// a relay that sends it from the table, `handled` means that the stream has it.
    public let outcomes: [String: Outcome]

    /// Whether each of them has handled it. Where none runs here, there is nobody to wait for.
    public var isComplete: Bool { outcomes.values.allSatisfy { $0 == .handled } }
}

extension StoredReceipt: CustomStringConvertible {
    /// The identity, and what each observer has done, in one line.
    public var description: String {
        let words = outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(id): \(words.isEmpty ? "no durable observers" : words.joined(separator: ", "))"
    }
}
