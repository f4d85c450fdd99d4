/// What a center knows about an observer beside its closure: where it was registered, how it is delivered, who owns it.
public struct ObserverRegistration: Sendable {
    /// The file that registered the observer, as `Module/File.swift`.
    public let fileID: StaticString

    /// Where and when the observer runs.
    public let delivery: DeliveryMode

    private let shortLine: UInt32

    /// The line that registered the observer.
    public var line: UInt { UInt(shortLine) }

    /// Where the observer was registered.
    public var place: SourcePlace { SourcePlace(fileID: fileID, line: line) }

    private var possibleOwner: ObserverOwner?

    /// The object to which the observer is tied, if it has one.
    public var owner: ObserverOwner? { possibleOwner?.owner }

    /// Describes a registration.
    ///
    /// - Parameters:
    ///   - fileID: The file that registered the observer.
    ///   - line: The line that registered the observer.
    ///   - delivery: Where and when the observer runs.
    ///   - owner: The object to which the observer is tied.
    public init(fileID: StaticString, line: UInt, delivery: DeliveryMode = .inPost, owner: ObserverOwner? = nil) {
        self.fileID = fileID
        shortLine = UInt32(clamping: line)
        self.delivery = delivery
        possibleOwner = owner
    }
}

extension ObserverRegistration {
    /// Whether this has to be looked at when the observer ends: it has an owner, or a sequence reads it. If not, it holds no
    /// object, and need not be destroyed.
    var isSpecial: Bool { possibleOwner != nil || delivery == .sequence }

    /// What waits for the observer, if it has a queue.
    var queue: (any ObserverQueue)? { details?.queue }

    /// The notification type, if the center knows it under another one.
    var type: Any.Type? { details?.type }

    /// The sender in words, if the center does not know it.
    var sender: String? { details?.sender }

    private var details: DetailedOwner? { possibleOwner as? DetailedOwner }

    /// The same registration, of an observer that takes its notifications from a queue.
    @usableFromInline
    package func with(queue: any ObserverQueue) -> ObserverRegistration {
        var registration = self
        registration.possibleOwner = DetailedOwner(owner, queue: queue, type: type, sender: sender)
        return registration
    }

    /// The same registration, of an observer whose center knows its notifications under another type.
    package func with(type: Any.Type) -> ObserverRegistration {
        var registration = self
        registration.possibleOwner = DetailedOwner(owner, queue: queue, type: type, sender: sender)
        return registration
    }

    /// The same registration, of an observer that looks itself whether a post comes from its sender.
    ///
    /// - Parameter sender: The sender in words; `nil` for every sender.
    /// - Returns: The registration.
    package func with(sender: String?) -> ObserverRegistration {
        guard let sender else { return self }
        var registration = self
        registration.possibleOwner = DetailedOwner(owner, queue: queue, type: type, sender: sender)
        return registration
    }
}
