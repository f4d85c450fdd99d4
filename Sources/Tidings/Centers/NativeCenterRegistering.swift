import TidingsEngine

extension NativeNotificationCenter {
    @inlinable
    @inline(__always)
    func add<Payload, Sender>(
        _ registration: ObserverRegistration, for sender: SenderFilter<Sender>,
        to channel: TypedChannel<Payload, Sender>, taking observer: inout Observer<Payload>?
    ) -> Entry {
        // An observer without a tie has neither a queue nor an owner, so `willAdd` has nothing to check.
        if registration.details.tie != nil { willAdd(registration, for: sender.limit, to: channel) }
        if isMonitored { return addTimed(registration, for: sender, to: channel, taking: &observer) }
        return add(registration, for: sender, toChannel: channel, taking: &observer)
    }

    @inlinable
    @inline(__always)
    func add<Payload, Sender>(
        _ registration: ObserverRegistration, for sender: SenderFilter<Sender>,
        toChannel channel: TypedChannel<Payload, Sender>, taking observer: inout Observer<Payload>?
    ) -> Entry {
        if sender.isLimited {
            let details = registration.details.limited
            if let object = sender.liveObject { return channel.add(details, forObject: object, taking: &observer) }
            return channel.add(details, for: sender.engineTarget, taking: &observer)
        }
        return channel.add(registration.details, taking: &observer)
    }

    @usableFromInline
    @inline(never)
    func addTimed<Payload, Sender>(
        _ registration: ObserverRegistration, for sender: SenderFilter<Sender>,
        to channel: TypedChannel<Payload, Sender>, taking observer: inout Observer<Payload>?
    ) -> Entry {
        add(registration.with(registeredAt: .now), for: sender, toChannel: channel, taking: &observer)
    }

    @usableFromInline
    @inline(never)
    func addFirst<N: TypedNotification>(
        _ registration: ObserverRegistration, for sender: SenderFilter<N.Sender>, taking observer: inout Observer<N>?
    ) -> Entry {
        if replay(of: N.self) != nil, !isServing { return addReplayed(registration, for: sender, taking: &observer) }
        return unsafe makeChannel(of: N.self)._withUnsafeGuaranteedRef {
            add(registration, for: sender, to: $0, taking: &observer)
        }
    }

    @inlinable var isMonitored: Bool { monitoring.isActive }
}
