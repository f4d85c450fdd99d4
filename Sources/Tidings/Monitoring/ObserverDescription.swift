import TidingsEngine

/// The description of an observer: its identity, its notification type, its delivery mode and the place of its
/// registration. It keeps neither the observer nor its owner nor its sender alive.
public struct ObserverDescription: Sendable, Identifiable {
    /// The identity of an observer. It is unique in the process and printed in hexadecimal.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        @export(implementation) package let number: UInt64

        /// The number of the observer in hexadecimal.
        public var description: String { String(number, radix: 16) }
    }

    /// The observer's identity.
    @export(implementation) public let id: ID

    /// The notification type or the name for which the observer is registered.
    @export(implementation) public let subject: NotificationSubject

    /// The line of source that registered the observer.
    @export(implementation) public let place: SourcePlace

    /// The time at which the observer was registered; `nil` if no monitor was attached at that time, because only
    /// monitors need it.
    public var registeredAt: ContinuousClock.Instant? { registrationTime?.instant }

    private let registrationTime: RegistrationTime?

    /// The context in which the observer runs, such as in the post, in an actor or in a task.
    @export(implementation) public let delivery: DeliveryMode

    // The flags take one byte, because a description is copied with every event.
    private let traits: UInt8

    /// Whether the observer is limited to a sender.
    public var isLimitedToSender: Bool { traits & 1 != 0 }

    /// Whether the policy drops notifications on purpose, without warnings: see ``BufferingPolicy/intendsDrops``.
    public var intendsDrops: Bool { traits & 2 != 0 }

    /// Whether the observer's closure compares senders, as it may in Foundation's center. If so, a post from another
    /// sender is reported as rejected by a condition. It is also `true` for an observer of Foundation's messages that
    /// is limited to a subject, although Foundation compares the subjects.
    package var comparesSenders: Bool { traits & 4 != 0 }

    @inline(__always)
    init(_ call: CallLog.Call, of subject: NotificationSubject) {
        id = ID(number: call.serial)
        // `details` is read in place, because a copy would retain the `ObserverTie`, and all threads would write to
        // one reference count.
        let details = unsafe call.details
        let isLimited = unsafe details.pointee.isLimited
        if let tie = unsafe EntryDetails.tie(at: details) {
            registrationTime = unsafe tie._withUnsafeGuaranteedRef { ObserverTie.of($0).registeredAt }
            let type = unsafe tie._withUnsafeGuaranteedRef { ObserverTie.of($0).type }
            self.subject = type.map { NotificationSubject($0) } ?? subject
            traits = unsafe tie._withUnsafeGuaranteedRef { Self.traits(isLimited, ObserverTie.of($0)) }
        } else {
            registrationTime = nil
            self.subject = subject
            traits = isLimited ? 1 : 0
        }
        delivery = unsafe DeliveryMode(number: details.pointee.mode)
        place = unsafe SourcePlace(fileID: details.pointee.fileID, shortLine: details.pointee.line)
    }

    init(_ number: UInt64, of subject: NotificationSubject, _ registration: ObserverRegistration) {
        id = ID(number: number)
        let tie = registration.tie
        self.subject = tie?.type.map { NotificationSubject($0) } ?? subject
        delivery = registration.delivery
        place = registration.place
        registrationTime = tie?.registeredAt
        let isLimited = registration.details.isLimited
        traits = tie.map { Self.traits(isLimited, $0) } ?? (isLimited ? 1 : 0)
    }

    @inline(__always)
    private static func traits(_ isLimited: Bool, _ tie: ObserverTie) -> UInt8 {
        (isLimited || tie.limitsSenders ? 1 : 0) | (tie.intendsDrops ? 2 : 0) | (tie.limitsSenders ? 4 : 0)
    }
}

extension ObserverDescription: Hashable {
    /// Compares the identities.
    public static func == (lhs: ObserverDescription, rhs: ObserverDescription) -> Bool { lhs.id == rhs.id }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ObserverDescription: CustomStringConvertible {
    /// A phrase with the subject, the delivery mode and the place of the registration. If the observer is durable or in
    /// a group, the phrase also contains the durable observer's name or the group's name.
    public var description: String {
        var words = "\(subject), \(delivery), registered at \(place)"
        if let name = ObserverNames.given.name(of: id.number) { words += ", named \"\(name)\"" }
        if let group { words += ", in the group \"\(group)\"" }
        return words
    }
}

/// The notification type, or the name in Foundation's center, that is posted or observed.
public struct NotificationSubject: Sendable {
    /// A class, so that copying a subject doesn't copy a string.
    private final class Name: Sendable {
        let text: String
        init(_ text: String) { self.text = text }
    }

    /// The notification type, or the message type of a bus; `nil` for a name in Foundation's center.
    @export(implementation) public let type: Any.Type?

    private let named: Name?

    /// The qualified name of the type, such as `Shop.Cart.Changed`, or the name in Foundation's center.
    public var name: String { type.map { QualifiedTypeName($0).full } ?? named?.text ?? "" }

    /// Creates the subject of a type. If the type wraps a main-actor notification, the subject is the wrapped type.
    @usableFromInline
    package init(_ type: Any.Type) {
        self.type = (type as? any BelongsToMainActor.Type)?.content ?? type
        named = nil
    }

    /// Creates a subject from the `type` of another subject. A copy would also retain `named`, which costs time.
    @inline(__always)
    init(known type: Any.Type) {
        self.type = type
        named = nil
    }

    package init(named name: String) {
        type = nil
        named = Name(name)
    }
}

extension NotificationSubject: Hashable {
    /// Compares the types or the names. A type doesn't equal a name.
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

extension NotificationSubject {
    /// This subject or, if its type is an internal wrapper of the package, the type that it wraps.
    package var ofProgram: NotificationSubject {
        (type as? any UnrecordedPost.Type).map { NotificationSubject($0.contentType) } ?? self
    }
}
