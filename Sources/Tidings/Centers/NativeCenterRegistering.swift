import TidingsEngine

// How an observer comes into the channel of its type, whether that was there, is made, or is one of a type that is replayed.

extension NativeNotificationCenter {
    /// Appends an observer to a channel.
    @export(implementation)
    @inline(__always)
    func add<Payload, Sender>(
        _ registration: ObserverRegistration, for sender: SenderFilter<Sender>,
        to channel: TypedChannel<Payload, Sender>, taking observer: inout Observer<Payload>?
    ) -> Entry {
        countDrops(of: registration, in: channel)
        let registration = isMonitored ? registration.with(registeredAt: .now) : registration
        if sender.isLimited {
            let details = registration.details.limited
            return channel.add(details, for: sender.engineTarget, taking: &observer)
        }
        return channel.add(registration.details, taking: &observer)
    }

    /// Registers the first observer of a type, which has no channel.
    @usableFromInline
    @inline(never)
    func addFirst<N: TypedNotification>(
        _ registration: ObserverRegistration, for sender: SenderFilter<N.Sender>, taking observer: inout Observer<N>?
    ) -> Entry {
        unsafe makeChannel(of: N.self)._withUnsafeGuaranteedRef {
            add(registration, for: sender, to: $0, taking: &observer)
        }
    }

    /// Whether a monitor is attached.
    @usableFromInline var isMonitored: Bool { monitoring.isActive }
}
