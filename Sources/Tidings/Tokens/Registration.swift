/// What a center knows about an observer beside its closure: where it was registered, how it is delivered, who owns it.
public struct Registration: Sendable {
    /// One word, as every entry of a center holds a registration and few have more than an owner.
    private enum Tie: Sendable {
        case none
        case owner(Owner)
        case details(RegistrationDetails)
    }

    /// The file that registered the observer, as `Module/File.swift`.
    public let fileID: StaticString

    /// Where and when the observer runs.
    public let delivery: Delivery

    private let shortLine: UInt32

    /// The line that registered the observer.
    public var line: UInt { UInt(shortLine) }

    private var tie: Tie

    /// The object to which the observer is tied, if it has one.
    public var owner: Owner? {
        switch tie {
        case .none: nil
        case .owner(let owner): owner
        case .details(let details): details.owner
        }
    }

    /// Describes a registration.
    ///
    /// - Parameters:
    ///   - fileID: The file that registered the observer.
    ///   - line: The line that registered the observer.
    ///   - delivery: Where and when the observer runs.
    ///   - owner: The object to which the observer is tied.
    public init(fileID: StaticString, line: UInt, delivery: Delivery = .inPost, owner: Owner? = nil) {
        self.fileID = fileID
        shortLine = UInt32(clamping: line)
        self.delivery = delivery
        tie = owner.map { .owner($0) } ?? .none
    }
}

extension Registration {
    /// What only some registrations have, and what is only looked at for diagnostics.
    var details: RegistrationDetails? {
        if case .details(let details) = tie { details } else { nil }
    }

    /// The same registration, of an observer that takes its notifications from a queue.
    @usableFromInline
    package func with(queue: any ObserverQueue) -> Registration {
        var registration = self
        registration.tie = .details(RegistrationDetails(owner: owner, queue: queue, type: details?.type))
        return registration
    }

    /// The same registration, of an observer whose center knows its notifications under another type.
    package func with(type: Any.Type) -> Registration {
        var registration = self
        registration.tie = .details(RegistrationDetails(owner: owner, queue: details?.queue, type: type))
        return registration
    }
}

/// What only some registrations have.
final class RegistrationDetails: Sendable {
    let owner: Owner?

    /// What waits for the observer. Whoever has the observer's closure keeps it anyway.
    let queue: (any ObserverQueue)?

    /// The notification type, if the center knows it under another one.
    let type: Any.Type?

    init(owner: Owner?, queue: (any ObserverQueue)?, type: Any.Type?) {
        self.owner = owner
        self.queue = queue
        self.type = type
    }
}
