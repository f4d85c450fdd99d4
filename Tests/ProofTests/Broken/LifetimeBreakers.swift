import Tidings

/// Observers are kept for as long as the center, cancelled or not.
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

/// What was cancelled during a post is released by the next one.
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

/// Owners are not known to the center, so a registration does not end observations of dead ones.
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

/// Notifications are kept until the next post.
final class CollectingCenter: BrokenCenter, @unchecked Sendable {
    private let last = Lock<(any Sendable)?>(nil)

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        let unchecked = Unchecked(value: notification)
        last.withLock { $0 = unchecked }
        return super.post(notification, from: place)
    }
}

/// Observations keep their center alive.
final class ClingingCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        return BrokenObservation(base: base, kept: self)
    }
}

/// Observations never say that they are over.
final class CheerfulCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        return BrokenObservation(base: base, staysActive: true)
    }
}
