import TidingsEngine

/// The identity of an observer, with its notification type, its delivery and the place of its registration.
///
/// It holds no reference to the observer, its owner or its sender, so keeping it keeps none of them alive.
public struct ObserverDescription: Sendable, Identifiable {
    /// The identity of an observer: no other observer of the process has it, or will have it.
    ///
    /// It prints as a number in the hexadecimal system.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        @export(implementation) let number: UInt64

        /// The number of the observer, in the hexadecimal system.
        public var description: String { String(number, radix: 16) }
    }

    /// The observer's identity.
    @export(implementation) public let id: ID

    /// The notification type, or the name, that the observer is registered for.
    @export(implementation) public let subject: NotificationSubject

    /// The line of source that registered the observer.
    @export(implementation) public let place: SourcePlace

    /// When the observer was registered; `nil` if no monitor was attached then, as unmonitored centers look at no clock.
    public var registeredAt: ContinuousClock.Instant? { isTimed ? registrationTime.instant : nil }

    // Where the words of both stand one after the other, a description is 57 bytes.
    private let registrationTime: RegistrationTime
    private let isTimed: Bool

    /// The context in which the observer runs: in the post, in an actor, in a task, and so on.
    @export(implementation) public let delivery: DeliveryMode

    /// Whether the observer is limited to a sender.
    @export(implementation) public let isLimitedToSender: Bool

    /// Describes the observer that was called in a post.
    @inline(__always)
    init(_ call: CallLog.Call, of subject: NotificationSubject) {
        id = ID(number: call.serial)
        // Read where they lie, field by field: to copy all of them would retain the tie, to whose count every thread that posts
        // would write.
        let details = unsafe call.details
        if let tie = unsafe EntryDetails.tie(at: details) {
            let registered = unsafe tie._withUnsafeGuaranteedRef { ObserverTie.of($0).registeredAt }
            registrationTime = registered ?? .unknown
            isTimed = registered != nil
            let type = unsafe tie._withUnsafeGuaranteedRef { ObserverTie.of($0).type }
            self.subject = type.map { NotificationSubject($0) } ?? subject
        } else {
            registrationTime = .unknown
            isTimed = false
            self.subject = subject
        }
        isLimitedToSender = unsafe details.pointee.isLimited
        delivery = unsafe DeliveryMode(number: details.pointee.mode)
        place = unsafe SourcePlace(fileID: details.pointee.fileID, shortLine: details.pointee.line)
    }

    @usableFromInline
    init(_ number: UInt64, of subject: NotificationSubject, _ registration: ObserverRegistration) {
        id = ID(number: number)
        let tie = registration.tie
        self.subject = tie?.type.map { NotificationSubject($0) } ?? subject
        delivery = registration.delivery
        place = registration.place
        registrationTime = tie?.registeredAt ?? .unknown
        isTimed = tie?.registeredAt != nil
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
    /// The subject, the delivery and the place of the registration, in one phrase, with the name of a durable observer, and the group that
    /// holds the observer.
    public var description: String {
        var words = "\(subject), \(delivery), registered at \(place)"
        if let name = GivenName.name(of: id.number) { words += ", named \"\(name)\"" }
        if let group { words += ", in the group \"\(group)\"" }
        return words
    }
}

/// The notification type, or the name in Foundation's center, that is posted or observed.
public struct NotificationSubject: Sendable {
    /// The name of a subject that is no type: one word, so that what is told of a type is copied without a look at a string.
    private final class Name: Sendable {
        let text: String
        init(_ text: String) { self.text = text }
    }

    /// The notification type, or the message type of a bus; `nil` for a name of Foundation's center.
    @export(implementation) public let type: Any.Type?

    /// The name; `nil` for a type.
    private let named: Name?

    /// The type with its module and the types it is nested in, such as `Shop.Cart.Changed`; or the name.
    public var name: String { type.map { QualifiedTypeName($0).full } ?? named?.text ?? "" }

    /// Makes the subject of a notification type. The type that wraps a main-actor notification counts as that notification's.
    @usableFromInline
    package init(_ type: Any.Type) {
        self.type = (type as? any BelongsToMainActor.Type)?.content ?? type
        named = nil
    }

    /// Makes the subject of the type that another one has. No name goes with it, and so nothing that would have to be retained.
    @inline(__always)
    init(known type: Any.Type) {
        self.type = type
        named = nil
    }

    /// Makes the subject of a name in Foundation's center.
    package init(named name: String) {
        type = nil
        named = Name(name)
    }
}

extension NotificationSubject: Hashable {
    /// Compares the types, or the names. A type does not equal a name.
    public static func == (lhs: NotificationSubject, rhs: NotificationSubject) -> Bool {
        lhs.type == rhs.type && (lhs.named === rhs.named || lhs.named?.text == rhs.named?.text)
    }

    /// Hashes the type or the name.
    public func hash(into hasher: inout Hasher) {
        if let type { hasher.combine(ObjectIdentifier(type)) } else { hasher.combine(named?.text) }
    }
}

extension NotificationSubject: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
