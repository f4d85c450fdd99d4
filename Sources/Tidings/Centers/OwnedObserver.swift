import TidingsEngine

/// An observation that is tied to an owner, with its center's information.
@usableFromInline
package struct OwnedObserver: ObserverHandle {
    package let registration: ObserverRegistration

    /// The observed subject: a type, or a name on Foundation's center.
    package let subject: NotificationSubject

    private let base: EntryToken
    private let limit: LimitIdentity?

    /// Takes over a reference to the entry's chunk.
    init(_ entry: OwnedEntry, of subject: NotificationSubject) {
        base = EntryToken(entry.entry)
        registration = ObserverRegistration(entry.details)
        self.subject = subject
        limit = LimitIdentity(entry.sender) ?? registration.tie?.fields.limit.map { LimitIdentity($0) }
    }

    /// The notification type; `nil` for an observer with a descriptor, or of a name on another center.
    package var type: NotificationSubject? {
        registration.tie?.type.map { NotificationSubject($0) } ?? (subject.type == nil ? nil : subject)
    }

    /// Whether the observation is limited to the sender of a filter. For a main-actor notification, the caller is on
    /// the main actor.
    func isLimited(to limit: SenderLimit?) -> Bool {
        guard let limit else { return true }
        return self.limit?.isSame(as: LimitIdentity(limit)) ?? false
    }

    /// Whether the observation is limited to a sender, or the sender is `nil`.
    package func isLimited(to filter: SenderFilter<Any?>) -> Bool { isLimited(to: filter.limit) }

    /// Whether the observation is limited to the sender of a filter, or has no limit, like the filter.
    func isLimited(exactlyTo limit: SenderLimit?) -> Bool {
        guard let limit else { return self.limit == nil }
        return isLimited(to: limit)
    }

    /// Whether the observation is active, and was registered by the same line, with the same delivery, as another
    /// registration.
    func isFrom(_ registration: ObserverRegistration) -> Bool {
        self.registration.place == registration.place && self.registration.delivery == registration.delivery && isActive
    }

    func describe(in host: CenterChannelHost) -> ObserverDescription {
        host.describe(base.entry.serial, registration.details)
    }

    /// The number that identifies the observer for monitors.
    package var numbers: [UInt64] { base.numbers }

    @usableFromInline package var center: ObjectIdentifier? { base.center }
    @usableFromInline package var isActive: Bool { base.isActive }

    @usableFromInline
    package func cancel() {
        base.cancel()
        registration.discardQueue()
    }

    @usableFromInline
    package func end(_ reason: ObservationEndReason) {
        base.end(reason)
        registration.discardQueue()
    }

    @usableFromInline
    package func drain() async { await base.drain() }
}

/// The sender to which an observer is limited, in a form that can be compared.
private enum LimitIdentity {
    case object(ObjectIdentifier)
    case value(SenderKey)

    /// The limit of an entry, or `nil` if the engine has none.
    init?(_ sender: EntryStatus.Sender) {
        switch sender {
        case .everyone, .unmatched: return nil
        case .object(_, let address): self = .object(address)
        case .value(let value): self = .value(SenderKey(of: value))
        }
    }

    /// The limit of a filter. A value of a main-actor notification is only used on the main actor.
    init(_ limit: SenderLimit) {
        if let object = limit.object { self = .object(object.address) } else { self = .value(limit.valueKey) }
    }

    func isSame(as other: LimitIdentity) -> Bool {
        switch (self, other) {
        case (.object(let mine), .object(let other)): mine == other
        case (.value(let mine), .value(let other)): mine.isSame(as: other)
        default: false
        }
    }
}

extension TypedNotificationCenter {
    /// The observations that are tied to an owner; none if the center is a custom one that doesn't forward.
    @usableFromInline
    package func observers(of owner: AnyObject) -> [OwnedObserver] {
        listing?.nativeCenters.flatMap { $0.ownObservers(of: owner) } ?? []
    }
}

extension NativeNotificationCenter {
    fileprivate func ownObservers(of owner: AnyObject) -> [OwnedObserver] {
        channels.all().flatMap { observers(of: owner, in: $0) }
    }

    func observers(of owner: AnyObject, in channel: Channel) -> [OwnedObserver] {
        let entries = channel.entries(ownedBy: UInt(bitPattern: ObjectIdentifier(owner))) {
            ObserverTie.of($0).owner?.refers(to: owner) == true
        }
        let subject = CenterChannelHost.of(channel).subject
        // Each handle takes over the reference that comes with its entry.
        return entries.map { OwnedObserver($0, of: subject) }
    }
}
