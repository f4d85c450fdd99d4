import TidingsEngine

/// The identity of an observer, with its notification type, its delivery and the place of its registration.
///
/// It holds no reference to the observer, its owner or its sender, so keeping it keeps none of them alive.
public struct ObserverDescription: Sendable, Identifiable {
    /// The identity of an observer: no other observer of the process has it, or will have it.
    ///
    /// It prints as a number in the hexadecimal system.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        let number: UInt64

        /// The number of the observer, in the hexadecimal system.
        public var description: String { String(number, radix: 16) }
    }

    /// The observer's identity.
    public let id: ID

    /// The notification type, or the name, that the observer is registered for.
    public let subject: NotificationSubject

    /// The context in which the observer runs: in the post, in an actor, in a task, and so on.
    public let delivery: DeliveryMode

    /// When the observer was registered; `nil` if no monitor was attached then, as unmonitored centers look at no clock.
    public var registeredAt: ContinuousClock.Instant? { registrationTime?.instant }

    private let registrationTime: RegistrationTime?

    /// The line of source that registered the observer.
    public let place: SourcePlace

    /// Whether the observer is limited to a sender.
    public let isLimitedToSender: Bool

    /// The file that registered the observer, as `Module/File.swift`.
    public var fileID: StaticString { place.fileID }

    /// The line that registered the observer.
    public var line: UInt { place.line }

    /// Describes the observer that was called in a post.
    @inline(__always)
    init(_ call: CallLog.Call, of subject: NotificationSubject) {
        id = ID(number: call.serial)
        let tie = unsafe call.tie
        if _slowPath(unsafe tie != nil) {
            let type = unsafe tie?._withUnsafeGuaranteedRef { ObserverTie.of($0).type }
            self.subject = type.map { NotificationSubject($0) } ?? subject
            registrationTime = unsafe tie?._withUnsafeGuaranteedRef { ObserverTie.of($0).registeredAt }
        } else {
            self.subject = subject
            registrationTime = nil
        }
        isLimitedToSender = call.isLimited
        delivery = DeliveryMode(number: call.mode)
        place = SourcePlace(fileID: call.fileID, line: UInt(call.line))
    }

    init(_ number: UInt64, of subject: NotificationSubject, _ registration: ObserverRegistration) {
        id = ID(number: number)
        let tie = registration.tie
        self.subject = tie?.type.map { NotificationSubject($0) } ?? subject
        delivery = registration.delivery
        place = registration.place
        registrationTime = tie?.registeredAt
        isLimitedToSender = registration.isLimited
    }
}

extension ObserverDescription: Hashable {
    /// Compares the identities.
    public static func == (lhs: ObserverDescription, rhs: ObserverDescription) -> Bool { lhs.id == rhs.id }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ObserverDescription: CustomStringConvertible {
    /// The subject, the delivery and the place of the registration, in one phrase, and the group that holds the observer.
    public var description: String {
        let words = "\(subject), \(delivery), registered at \(place)"
        return group.map { "\(words), in the group \"\($0)\"" } ?? words
    }
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
