import Tidings

/// A center that immediately calls an observer that is added during a post of the observed type.
final class EagerCenter: BrokenCenter, @unchecked Sendable {
    private let tracker = PostTracker()

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        tracker.track(notification) { super.post(notification, from: place) }
    }

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        if let posted = tracker.innermost as? Unchecked<N> { observer(posted.value) }
        return super.observe(type, sender: sender, registration: registration, using: observer)
    }
}

/// A center that still calls an observer that is cancelled during the post.
final class TardyCenter: BrokenCenter, @unchecked Sendable {
    private let tracker = PostTracker()

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        tracker.track(notification) { super.post(notification, from: place) }
    }

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        return BrokenObservation(base: base) { [tracker] in
            if tracker.innermost == nil { base.cancel() } else { tracker.putOff { base.cancel() } }
        }
    }
}
