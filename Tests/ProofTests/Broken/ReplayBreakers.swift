import Tidings

/// A center in which an observer starts with the first notification of its type that was posted, not the latest.
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

/// A center in which an observer starts with the latest notification even if the type has no replay.
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

/// A center in which an observer of one sender starts with the latest notification of any sender.
final class MixingCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        if sender.isLimited, !N.replay.isNone {
            super.observe(type, sender: .everyone, registration: registration, using: observer).cancel()
        }
        return super.observe(type, sender: sender, registration: registration.withoutReplay, using: observer)
    }
}

/// A center that keeps the latest notification of a sender after the sender was deallocated.
final class RememberingCenter: BrokenCenter, @unchecked Sendable {
    private let all = Lock<[any Sendable]>([])

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        let kept = Unchecked(value: notification)
        all.withLock { $0.append(kept) }
        return super.post(notification, from: place)
    }
}

/// A center that delivers the latest notification only after the observer has received a post. The latest notification
/// therefore arrives twice or out of order.
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
        // Waits until two posts have ended, or for a limited time if there are fewer posts.
        let before = count.load(ordering: .sequentiallyConsistent)
        for _ in 0..<1_000_000 where count.load(ordering: .sequentiallyConsistent) < before + 2 {}
        super.observe(type, sender: sender, registration: registration, using: observer).cancel()
        return handle
    }
}
