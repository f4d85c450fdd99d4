/// Which observer it is: what it observes, how it is delivered, and where it was registered.
///
/// It refers to nothing that the observer has, so it can be kept.
public struct ObserverDescription: Sendable, Identifiable {
    /// Tells an observer from every other one that is registered at the same time. It may be given again to a later one.
    public struct ID: Hashable, Sendable {
        let number: UInt
    }

    /// The observer's identity.
    public let id: ID

    /// What the observer is registered for.
    public let subject: NotificationSubject

    /// Where and when the observer runs.
    public let delivery: DeliveryMode

    /// Where the observer was registered.
    public let place: SourcePlace

    /// The file that registered the observer, as `Module/File.swift`.
    public var fileID: StaticString { place.fileID }

    /// The line that registered the observer.
    public var line: UInt { place.line }

    init(_ number: UInt, of subject: NotificationSubject, _ registration: ObserverRegistration) {
        id = ID(number: number)
        self.subject = registration.tie?.fields.type.map { NotificationSubject($0) } ?? subject
        delivery = registration.delivery
        place = registration.place
    }
}

extension ObserverDescription: Hashable {
    /// Two descriptions are of the same observer, if both were made while it was registered.
    public static func == (lhs: ObserverDescription, rhs: ObserverDescription) -> Bool { lhs.id == rhs.id }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ObserverDescription: CustomStringConvertible {
    /// The observer in words.
    public var description: String { "\(subject), \(delivery), registered at \(place)" }
}
