import Tidings

/// An observer begins with the first notification that was ever posted of its type, not with the latest.
final class OpeningCenter: BrokenCenter, @unchecked Sendable {
    private let first = Lock<[ObjectIdentifier: any Sendable]>([:])

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        let kept = Unchecked(value: notification)
        first.withLock { first in
            if first[ObjectIdentifier(N.self)] == nil { first[ObjectIdentifier(N.self)] = kept }
        }
        return super.post(notification, from: place)
    }

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let kept = first.withLock { $0[ObjectIdentifier(N.self)] } as? Unchecked<N>
        if let kept, !N.replay.isNone { observer(kept.value) }
        return super.observe(type, sender: sender, registration: registration.withoutReplay, using: observer)
    }
}

/// An observer of a type that does not ask for it begins with the latest, too.
final class RehearsingCenter: BrokenCenter, @unchecked Sendable {
    private let latest = Lock<[ObjectIdentifier: any Sendable]>([:])

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        let kept = Unchecked(value: notification)
        latest.withLock { $0[ObjectIdentifier(N.self)] = kept }
        return super.post(notification, from: place)
    }

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        if let kept = latest.withLock({ $0[ObjectIdentifier(N.self)] }) as? Unchecked<N> { observer(kept.value) }
        return super.observe(type, sender: sender, registration: registration.withoutReplay, using: observer)
    }
}

/// An observer of one sender begins with the latest notification of all.
final class MixingCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        // Hands over what an observer of all begins with.
        if sender.isLimited, !N.replay.isNone {
            super.observe(type, sender: .everyone, registration: registration, using: observer).cancel()
        }
        return super.observe(type, sender: sender, registration: registration.withoutReplay, using: observer)
    }
}

/// What is kept of a sender stays when the sender is gone.
final class RememberingCenter: BrokenCenter, @unchecked Sendable {
    private let all = Lock<[any Sendable]>([])

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        let kept = Unchecked(value: notification)
        all.withLock { $0.append(kept) }
        return super.post(notification, from: place)
    }
}

/// An observer is handed the latest when it has been registered, and has got a post: so that comes twice, or not in order.
final class StammeringCenter: BrokenCenter, @unchecked Sendable {
    private let count = Atomic(0)

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        defer { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }
        return super.post(notification, from: place)
    }

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let handle = super.observe(type, sender: sender, registration: registration.withoutReplay, using: observer)
        // Until a post has begun and ended, or so long that nobody posts.
        let before = count.load(ordering: .sequentiallyConsistent)
        for _ in 0..<1_000_000 where count.load(ordering: .sequentiallyConsistent) < before + 2 {}
        super.observe(type, sender: sender, registration: registration, using: observer).cancel()
        return handle
    }
}
