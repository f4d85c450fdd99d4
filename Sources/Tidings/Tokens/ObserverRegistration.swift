/// What a center knows about an observer beside its closure: where it was registered, how it is delivered, who owns it.
public struct ObserverRegistration: Sendable {
    @usableFromInline package let details: EntryDetails

    /// The file that registered the observer, as `Module/File.swift`.
    public var fileID: StaticString { details.fileID }

    /// The line that registered the observer.
    public var line: UInt { UInt(details.line) }

    /// Where the observer was registered.
    public var place: SourcePlace { SourcePlace(fileID: fileID, line: line) }

    /// Where and when the observer runs.
    public var delivery: DeliveryMode { DeliveryMode(number: details.mode) }

    /// The object to which the observer is tied, if it has one.
    public var owner: ObserverOwner? { tie?.owner }

    /// What only some registrations have.
    package var tie: ObserverTie? { details.tie.map { ObserverTie.of($0) } }

    /// Describes a registration.
    ///
    /// - Parameters:
    ///   - fileID: The file that registered the observer.
    ///   - line: The line that registered the observer.
    ///   - delivery: Where and when the observer runs.
    ///   - owner: The object to which the observer is tied.
    public init(
        fileID: StaticString, line: UInt, delivery: DeliveryMode = .inPost, owner: ObserverOwner? = nil
    ) {
        self.init(fileID, UInt32(clamping: line), delivery, owner.map { ObserverTie(owner: $0) })
    }

    private init(_ fileID: StaticString, _ line: UInt32, _ delivery: DeliveryMode, _ tie: ObserverTie?) {
        let hasOwner = tie?.owner != nil
        details = EntryDetails(
            fileID: fileID, line: line, mode: delivery.number, tie: tie, hasOwner: hasOwner,
            // Who reads a sequence waits for its end, also if no post reaches it.
            isWatched: hasOwner || delivery == .sequence)
    }

    package init(_ details: EntryDetails) { self.details = details }

    /// The same registration, with more in its tie.
    private func tied(_ change: (inout ObserverTie.Fields) -> Void) -> ObserverRegistration {
        var fields = tie?.fields ?? ObserverTie.Fields()
        change(&fields)
        return ObserverRegistration(details.fileID, details.line, delivery, ObserverTie(fields))
    }

    /// The same registration, of an observer that takes its notifications from a queue.
    @usableFromInline
    package func with(queue: any AnyObject & Sendable) -> ObserverRegistration { tied { $0.queue = queue } }

    /// The same registration, of an observer whose center knows its notifications under another type.
    package func with(type: Any.Type) -> ObserverRegistration { tied { $0.type = type } }

    /// The same registration, of an observer that compares senders itself.
    ///
    /// - Parameter sender: The sender in words; `nil` for every sender.
    /// - Returns: The registration.
    package func with(sender: String?) -> ObserverRegistration {
        sender.map { words in tied { $0.senderDescription = words } } ?? self
    }
}

/// What only some registrations have, in memory of its own, so that all others are no larger for it.
package final class ObserverTie: Sendable {
    package struct Fields: Sendable {
        /// The object that ends the observation when it dies.
        package var owner: ObserverOwner?

        /// What waits for the observer. The observer's closure keeps it; here it is referred to weakly, as the queue leads to
        /// the observation, and that may lead here.
        package weak var queue: (any AnyObject & Sendable)?

        /// The notification type, if the center knows it under another one.
        package var type: Any.Type?

        /// The sender in words, if the observer compares senders itself.
        package var senderDescription: String?
    }

    package let fields: Fields

    package init(_ fields: Fields) { self.fields = fields }
    package init(owner: ObserverOwner) { fields = Fields(owner: owner) }

    package var owner: ObserverOwner? { fields.owner }

    /// The tie of an entry.
    package static func of(_ tie: AnyObject) -> ObserverTie {
        // Registrations alone make details, and these are their ties.
        unsafe unsafeDowncast(tie, to: ObserverTie.self)
    }
}
