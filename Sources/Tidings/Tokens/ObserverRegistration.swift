/// The details of an observer besides its closure: where it was registered, where it runs, and its owner.
public struct ObserverRegistration: Sendable {
    @usableFromInline package let details: EntryDetails

    /// The file that registered the observer, as `Module/File.swift`.
    public var fileID: StaticString { details.fileID }

    /// The line that registered the observer.
    public var line: UInt { UInt(details.line) }

    /// The line of source that registered the observer.
    public var place: SourcePlace { SourcePlace(fileID: fileID, line: line) }

    /// The context in which the observer runs, such as in the post, in an actor or in a task.
    public var delivery: DeliveryMode { DeliveryMode(number: details.mode) }

    /// The object to which the observer is tied, if there is one.
    public var owner: ObserverOwner? { tie?.owner }

    package var tie: ObserverTie? { details.tie.map { ObserverTie.of($0) } }

    /// Creates the details of a registration.
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

    /// Creates the details of an observer in the post. Inlined into the caller, where most of the values are constants.
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
            // The consumer of a sequence has to receive the end of the sequence even if no post reaches the observer.
            isWatched: hasOwner || delivery == .sequence, isConditional: isConditional)
    }

    @usableFromInline package init(_ details: EntryDetails) { self.details = details }

    private func tied(_ change: (inout ObserverTie.Fields) -> Void) -> ObserverRegistration {
        var fields = tie?.fields ?? ObserverTie.Fields()
        change(&fields)
        let changed = ObserverRegistration(
            details.fileID, details.line, delivery, ObserverTie(fields), isConditional: isConditional)
        return ObserverRegistration(changed.details.withMarks(of: details))
    }

    @usableFromInline
    package var isConditional: Bool { details.isConditional }

    @usableFromInline
    package var conditional: ObserverRegistration {
        ObserverRegistration(details.fileID, details.line, delivery, tie, isConditional: true)
    }

    /// The registration of an observer behind a ``ReplayGate``, which can reject notifications. Without a condition,
    /// the gate counts its rejections, so that a post without monitors needn't check for a rejection after each call.
    @usableFromInline
    package var gated: ObserverRegistration {
        let details = isConditional ? details : conditional.details.countingRefusals
        return ObserverRegistration(details.beginningByHandOver)
    }

    @usableFromInline
    package func with(queue: any AnyObject & Sendable, intendsDrops: Bool = false) -> ObserverRegistration {
        tied { ($0.queue, $0.intendsDrops) = (queue, intendsDrops) }
    }

    @usableFromInline
    package var declinesReplay: Bool { tie?.fields.declinesReplay == true }

    package var withoutReplay: ObserverRegistration { tied { $0.declinesReplay = true } }

    package func with(type: Any.Type) -> ObserverRegistration { tied { $0.type = type } }

    package func with(registeredAt time: RegistrationTime) -> ObserverRegistration { tied { $0.registeredAt = time } }

    /// Adds a sender limit that the observer checks itself, or that Foundation's center checks. For a main-actor
    /// notification, call this on the main actor.
    package func with<Sender>(limit filter: SenderFilter<Sender>) -> ObserverRegistration {
        guard let limit = filter.limit else { return self }
        let words = filter.words
        return tied { ($0.limit, $0.senderDescription) = (limit, words) }
    }
}

/// The details that only some registrations have, in an object, so that other registrations need no memory for them.
package final class ObserverTie: Sendable {
    package struct Fields: Sendable {
        @usableFromInline package var owner: ObserverOwner?

        /// Weak, because the queue may refer to this object. The observer's closure keeps the queue alive.
        package weak var queue: (any AnyObject & Sendable)?

        package var intendsDrops = false
        @usableFromInline package var type: Any.Type?
        @usableFromInline var limit: SenderLimit?
        @usableFromInline package var senderDescription: String?
        @usableFromInline package var registeredAt: RegistrationTime?
        @usableFromInline package var declinesReplay = false
    }

    @usableFromInline package let fields: Fields

    package init(_ fields: Fields) { self.fields = fields }
    package init(owner: ObserverOwner) { fields = Fields(owner: owner) }

    // Each property reads a single field, because copying all fields would copy the weak reference, which is slow.
    package var owner: ObserverOwner? { fields.owner }
    package var type: Any.Type? { fields.type }
    package var registeredAt: RegistrationTime? { fields.registeredAt }
    package var limitsSenders: Bool { fields.limit != nil }
    package var intendsDrops: Bool { fields.intendsDrops }

    package static func of(_ tie: AnyObject) -> ObserverTie {
        // Every `EntryDetails` in this module is created by an `ObserverRegistration`, so its tie is an `ObserverTie`.
        unsafe unsafeDowncast(tie, to: ObserverTie.self)
    }
}

/// A time as an integer. Copying a `ContinuousClock.Instant` would query the runtime, because it has no fixed layout.
@usableFromInline
package struct RegistrationTime: Sendable {
    private static let first = ContinuousClock.now

    private let nanoseconds: Int64

    @usableFromInline static var now: RegistrationTime {
        let first = first
        return RegistrationTime(nanoseconds: Int64(first.duration(to: .now) / .nanoseconds(1)))
    }

    var instant: ContinuousClock.Instant { Self.first + .nanoseconds(nanoseconds) }
}
