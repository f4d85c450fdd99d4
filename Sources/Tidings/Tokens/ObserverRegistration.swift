/// The details of an observer, beside its closure: where it was registered, how it is delivered, and its owner.
public struct ObserverRegistration: Sendable {
    @usableFromInline package let details: EntryDetails

    /// The file that registered the observer, as `Module/File.swift`.
    public var fileID: StaticString { details.fileID }

    /// The line that registered the observer.
    public var line: UInt { UInt(details.line) }

    /// The line of source that registered the observer.
    public var place: SourcePlace { SourcePlace(fileID: fileID, line: line) }

    /// The context in which the observer runs: in the post, in an actor, in a task, and so on.
    public var delivery: DeliveryMode { DeliveryMode(number: details.mode) }

    /// The object to which the observer is tied, if it has one.
    public var owner: ObserverOwner? { tie?.owner }

    /// Whether the observer is limited to a sender.
    package var isLimited: Bool { details.isLimited || tie?.limitsSenders == true }

    /// The details that only some registrations have; `nil` if this one has none of them.
    package var tie: ObserverTie? { details.tie.map { ObserverTie.of($0) } }

    /// Describes a registration.
    ///
    /// - Parameters:
    ///   - fileID: The file that registered the observer.
    ///   - line: The line that registered the observer.
    ///   - delivery: The context in which the observer runs.
    ///   - owner: The object to which the observer is tied.
    public init(
        fileID: StaticString, line: UInt, delivery: DeliveryMode = .inPost, owner: ObserverOwner? = nil
    ) {
        self.init(fileID, UInt32(clamping: line), delivery, owner.map { ObserverTie(owner: $0) })
    }

    /// Describes a registration of which there is no more to say. Compiled where it is called, as most of it is known there.
    @inlinable
    @inline(__always)
    package init(inPost fileID: StaticString, _ line: UInt) {
        details = EntryDetails(fileID: fileID, line: UInt32(clamping: line), mode: DeliveryMode.numberInPost)
    }

    private init(
        _ fileID: StaticString, _ line: UInt32, _ delivery: DeliveryMode, _ tie: ObserverTie?,
        isConditional: Bool = false
    ) {
        let hasOwner = tie?.owner != nil
        details = EntryDetails(
            fileID: fileID, line: line, mode: delivery.number, tie: tie, hasOwner: hasOwner,
            // The consumer of a sequence waits for its end, so that must be noticed even if no post reaches the observer.
            isWatched: hasOwner || delivery == .sequence,
            isConditional: isConditional)
    }

    @usableFromInline package init(_ details: EntryDetails) { self.details = details }

    /// The same registration, with a change to the details that only some registrations have.
    private func tied(_ change: (inout ObserverTie.Fields) -> Void) -> ObserverRegistration {
        var fields = tie?.fields ?? ObserverTie.Fields()
        change(&fields)
        let changed = ObserverRegistration(
            details.fileID, details.line, delivery, ObserverTie(fields), isConditional: isConditional)
        return ObserverRegistration(changed.details.withMarks(of: details))
    }

    /// Whether the observer's closure may refuse a notification, and notes it as a `Refusal`.
    @usableFromInline
    package var isConditional: Bool { details.isConditional }

    /// The same registration, of an observer with a condition.
    @usableFromInline
    package var conditional: ObserverRegistration {
        ObserverRegistration(details.fileID, details.line, delivery, tie, isConditional: true)
    }

    /// The same registration, of an observer behind a gate, which counts itself what it refuses. What a condition of the observer
    /// refuses is still looked for in each call.
    @usableFromInline
    package var gated: ObserverRegistration {
        let details = isConditional ? details : conditional.details.countingRefusals
        return ObserverRegistration(details.beginningByHandOver)
    }

    /// The same registration, of an observer that takes its notifications from a queue.
    @usableFromInline
    package func with(queue: any AnyObject & Sendable) -> ObserverRegistration { tied { $0.queue = queue } }

    /// Whether the observer begins with what is posted after its registration, also if its type is replayed.
    @usableFromInline
    package var declinesReplay: Bool { tie?.fields.declinesReplay == true }

    /// The same registration, of an observer that begins with what is posted after it.
    package var withoutReplay: ObserverRegistration { tied { $0.declinesReplay = true } }

    /// The same registration, of an observer whose center knows its notifications under another type.
    package func with(type: Any.Type) -> ObserverRegistration { tied { $0.type = type } }

    /// The same registration, of an observer that is registered at a time.
    @usableFromInline
    package func with(registeredAt time: RegistrationTime) -> ObserverRegistration { tied { $0.registeredAt = time } }

    /// The same registration, of an observer that compares senders itself.
    ///
    /// - Parameter sender: The description of the sender; `nil` for every sender.
    /// - Returns: The registration.
    package func with(sender: String?) -> ObserverRegistration {
        sender.map { words in tied { $0.senderDescription = words } } ?? self
    }
}

/// The details that only some registrations have. They are an object of their own, so that the other registrations take no memory
/// for them.
package final class ObserverTie: Sendable {
    package struct Fields: Sendable {
        /// The object that ends the observation when it dies.
        @usableFromInline package var owner: ObserverOwner?

        /// The observer's queue. The observer's closure keeps it alive. The reference here is weak, as a strong one would close a
        /// cycle: the queue refers to the observation, and the observation may refer to this.
        package weak var queue: (any AnyObject & Sendable)?

        /// The notification type, if the center knows its notifications under another type.
        @usableFromInline package var type: Any.Type?

        /// The description of the sender to which the observer is limited, if the observer compares senders itself.
        @usableFromInline package var senderDescription: String?

        /// When the observer was registered, if anybody wants to know.
        @usableFromInline package var registeredAt: RegistrationTime?

        /// Whether the observer is not handed the latest notification.
        @usableFromInline package var declinesReplay = false
    }

    @usableFromInline package let fields: Fields

    package init(_ fields: Fields) { self.fields = fields }
    package init(owner: ObserverOwner) { fields = Fields(owner: owner) }

    // Each reads one field: to copy all of them would copy the weak reference, which takes longer than all else.
    package var owner: ObserverOwner? { fields.owner }
    package var type: Any.Type? { fields.type }
    package var registeredAt: RegistrationTime? { fields.registeredAt }
    package var limitsSenders: Bool { fields.senderDescription != nil }

    /// The tie of an engine's entry.
    package static func of(_ tie: AnyObject) -> ObserverTie {
        // Every `EntryDetails` of this module is made by an `ObserverRegistration`, and its tie is an `ObserverTie`.
        unsafe unsafeDowncast(tie, to: ObserverTie.self)
    }
}

/// When an observer was registered, as a number.
///
/// An instant of the continuous clock has no fixed layout. Nor would a description that has one as a stored property, and each
/// copy of it would ask the runtime.
@usableFromInline
package struct RegistrationTime: Sendable {
    /// The first registration that was timed.
    private static let first = ContinuousClock.now

    /// The nanoseconds since then.
    private let nanoseconds: Int64

    /// The time of a registration that was not timed.
    static var unknown: RegistrationTime { RegistrationTime(nanoseconds: 0) }

    /// The time of this moment.
    @usableFromInline static var now: RegistrationTime {
        let first = first
        return RegistrationTime(nanoseconds: Int64(first.duration(to: .now) / .nanoseconds(1)))
    }

    /// The moment.
    var instant: ContinuousClock.Instant { Self.first + .nanoseconds(nanoseconds) }
}
