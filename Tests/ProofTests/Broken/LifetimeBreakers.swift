import Tidings

/// A center that retains its observers, cancelled or not, as long as it exists.
final class HoardingCenter: BrokenCenter, @unchecked Sendable {
    private let kept = Lock<[any Sendable]>([])

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        kept.withLock { $0.append(observer) }
        return super.observe(type, sender: sender, registration: registration, using: observer)
    }
}

/// A center that keeps an observer until the next post if the observer is cancelled during a post.
final class LingeringCenter: BrokenCenter, @unchecked Sendable {
    private let tracker = PostTracker()
    private let lingering = Lock<[any Sendable]>([])

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        let released = lingering.withLock { lingering in
            defer { lingering = [] }
            return lingering
        }
        return tracker.track(notification) { super.post(notification, from: place) + released.count - released.count }
    }

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        return BrokenObservation(base: base) { [weak self] in
            if let self, tracker.innermost != nil { lingering.withLock { $0.append(observer) } }
            base.cancel()
        }
    }
}

/// A center that ignores owners, so that a registration doesn't end the observations of deallocated owners.
final class ForgetfulCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let registration = ObserverRegistration(
            fileID: registration.fileID, line: registration.line, delivery: registration.delivery)
        return super.observe(type, sender: sender, registration: registration, using: observer)
    }
}

/// A center that retains notifications until the next post.
final class CollectingCenter: BrokenCenter, @unchecked Sendable {
    private let last = Lock<(any Sendable)?>(nil)

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        let unchecked = Unchecked(value: notification)
        last.withLock { $0 = unchecked }
        return super.post(notification, from: place)
    }
}

/// A center whose observations keep it alive.
final class ClingingCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        return BrokenObservation(base: base, kept: self)
    }
}

/// A center whose observations never report that they have ended.
final class CheerfulCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        return BrokenObservation(base: base, staysActive: true)
    }
}
