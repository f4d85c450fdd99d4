import TidingsEngine

package struct OwnedObserver: NumberedObservation {
    package let registration: ObserverRegistration
    package let subject: NotificationSubject
    private let limit: LimitIdentity?

    /// The center on which the observer was registered; `nil` if that is the native center.
    var registrar: ObjectIdentifier?

    /// The observer's registration or, on Foundation's center, its registrations for all names of a family.
    var entries: [EntryToken]

    /// Whether the end of the observation discards the queue; `false` if the holder of this handle discards it.
    var discardsQueue = true

    init(_ entry: OwnedEntry, of subject: NotificationSubject) {
        entries = [EntryToken(entry.entry)]
        registration = ObserverRegistration(entry.details)
        self.subject = subject
        limit = identity(of: entry.sender) ?? registration.tie?.fields.limit.map { identity(of: $0) }
    }

    /// The notification type; `nil` for an observer that was registered by name or with a `NotificationDescriptor`.
    package var type: NotificationSubject? {
        registration.tie?.type.map { NotificationSubject($0) } ?? (subject.type == nil ? nil : subject)
    }

    /// Whether the observer is limited to the sender `limit`. If `limit` is `nil`, the result is `true` for every
    /// observer. For a main-actor notification, call this method on the main actor.
    func isLimited(to limit: SenderLimit?) -> Bool {
        guard let limit else { return true }
        guard let mine = self.limit else { return false }
        let other = identity(of: limit)
        guard mine.object == other.object else { return false }
        return other.object != nil || mine.value.isSame(as: other.value)
    }

    package func isLimited(to filter: SenderFilter<Any?>) -> Bool { isLimited(to: filter.limit) }

    func isLimited(exactlyTo limit: SenderLimit?) -> Bool {
        guard let limit else { return self.limit == nil }
        return isLimited(to: limit)
    }

    func isFrom(_ registration: ObserverRegistration) -> Bool {
        self.registration.place == registration.place && self.registration.delivery == registration.delivery && isActive
    }

    func describe(in host: CenterChannelHost) -> ObserverDescription {
        host.describe(entries[0].entry.serial, registration.details)
    }

    package var numbers: [UInt64] { entries.flatMap(\.numbers) }
    package var isCalled: Bool { entries.contains(where: \.isCalled) }

    package var center: ObjectIdentifier? { entries[0].center.map { registrar ?? $0 } }
    package var isActive: Bool { entries.contains(where: \.isActive) }

    package func cancel() { end(.cancelled) }

    package func end(_ reason: ObservationEndReason) {
        for entry in entries { entry.end(reason) }
        if discardsQueue { registration.discardQueue() }
    }

    package func drain() async {
        for entry in entries { await entry.drain() }
    }
}

private typealias LimitIdentity = (object: ObjectIdentifier?, value: SenderKey)

private func identity(of sender: EntryStatus.Sender) -> LimitIdentity? {
    switch sender {
    case .everyone, .unmatched: return nil
    case .object(_, let address): return (object: address, value: SenderKey.none)
    case .value(let value): return (object: nil, value: SenderKey(of: value))
    }
}

/// Identifies a sender. If the sender is a value of a main-actor notification, call this on the main actor.
private func identity(of limit: SenderLimit) -> LimitIdentity {
    (object: limit.object?.address, value: limit.valueKey)
}

extension TypedNotificationCenter {
    package func observers(of owner: AnyObject) -> [OwnedObserver] {
        let centers = listing?.nativeCenters ?? []
        return centers.flatMap { center in center.channels.all().flatMap { center.observers(of: owner, in: $0) } }
    }
}

extension NativeNotificationCenter {
    func observers(of owner: AnyObject, in channel: Channel) -> [OwnedObserver] {
        let entries = channel.entries(ownedBy: UInt(bitPattern: ObjectIdentifier(owner))) {
            ObserverTie.of($0).owner?.refers(to: owner) == true
        }
        let subject = CenterChannelHost.of(channel).subject
        // Each `OwnedObserver` takes over the reference that comes with its entry.
        return entries.map { OwnedObserver($0, of: subject) }
    }
}
