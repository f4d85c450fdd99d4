import TidingsEngine

/// The identity of an observer, with its notification type, its delivery and the place of its registration.
///
/// It holds no reference to the observer, its owner or its sender, so keeping it keeps none of them alive.
public struct ObserverDescription: Sendable, Identifiable {
    /// An identity that differs from that of every observer registered at the same time. A later observer may get it again.
    public struct ID: Hashable, Sendable {
        let number: UInt
    }

    /// The observer's identity.
    public let id: ID

    /// The notification type, or the name, that the observer is registered for.
    public let subject: NotificationSubject

    /// The context in which the observer runs: in the post, in an actor, in a task, and so on.
    public let delivery: DeliveryMode

    /// The line of source that registered the observer.
    public let place: SourcePlace

    /// The file that registered the observer, as `Module/File.swift`.
    public var fileID: StaticString { place.fileID }

    /// The line that registered the observer.
    public var line: UInt { place.line }

    /// Describes the observer of an entry.
    init(_ entry: Entry, _ details: EntryDetails, of subject: NotificationSubject) {
        self.init(entry.word, of: subject, ObserverRegistration(details))
    }

    init(_ number: UInt, of subject: NotificationSubject, _ registration: ObserverRegistration) {
        id = ID(number: number)
        self.subject = registration.tie?.fields.type.map { NotificationSubject($0) } ?? subject
        delivery = registration.delivery
        place = registration.place
    }
}

extension ObserverDescription: Hashable {
    /// Compares the identities, which tell observers apart that are registered at the same time.
    public static func == (lhs: ObserverDescription, rhs: ObserverDescription) -> Bool { lhs.id == rhs.id }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ObserverDescription: CustomStringConvertible {
    /// The subject, the delivery and the place of the registration, in one phrase.
    public var description: String { "\(subject), \(delivery), registered at \(place)" }
}

/// The notification type, or the name in Foundation's center, that is posted or observed.
public struct NotificationSubject: Sendable {
    private enum Storage {
        case type(Any.Type)
        case name(String)
    }

    private let storage: Storage

    /// The notification type, or the message type of a bus; `nil` for a name of Foundation's center.
    public var type: Any.Type? {
        if case .type(let type) = storage { type } else { nil }
    }

    /// The type with its module and the types it is nested in, such as `Shop.Cart.Changed`; or the name.
    public var name: String {
        switch storage {
        case .type(let type): QualifiedTypeName(type).full
        case .name(let name): name
        }
    }

    /// Makes the subject of a notification type. The type that wraps a main-actor notification counts as that notification's.
    package init(_ type: Any.Type) {
        storage = .type((type as? any BelongsToMainActor.Type)?.content ?? type)
    }

    /// Makes the subject of a name in Foundation's center.
    package init(named name: String) { storage = .name(name) }
}

extension NotificationSubject: Hashable {
    /// Compares the types, or the names. A type does not equal a name.
    public static func == (lhs: NotificationSubject, rhs: NotificationSubject) -> Bool {
        switch (lhs.storage, rhs.storage) {
        case (.type(let mine), .type(let other)): mine == other
        case (.name(let mine), .name(let other)): mine == other
        default: false
        }
    }

    /// Hashes the type or the name.
    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .type(let type): hasher.combine(ObjectIdentifier(type))
        case .name(let name): hasher.combine(name)
        }
    }
}

extension NotificationSubject: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
