import Foundation
import Tidings

/// A center in which a post inside another post does nothing.
final class FlatCenter: BrokenCenter, @unchecked Sendable {
    private let tracker = PostTracker()

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        if tracker.innermost != nil { return 0 }
        return tracker.track(notification) { super.post(notification, from: place) }
    }
}

/// A center that holds a recursive lock while observers run.
final class LockingCenter: BrokenCenter, @unchecked Sendable {
    private let lock = NSRecursiveLock()

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        lock.withLock { super.post(notification, from: place) }
    }

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        return BrokenObservation(base: base) { [lock] in lock.withLock { base.cancel() } }
    }
}

/// A lock that gives up after three seconds, so that a test with a deadlock ends.
private final class FailingLock: Sendable {
    private let lock = NSRecursiveLock()

    func hold<Result>(_ body: () -> Result) -> Result {
        let isHeld = lock.lock(before: Date(timeIntervalSinceNow: 3))
        defer { if isHeld { lock.unlock() } }
        return body()
    }
}

/// A center that holds a lock while it ends an observation and releases the captures of its observer.
final class ClutchingCenter: BrokenCenter, @unchecked Sendable {
    private let lock = FailingLock()

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        return BrokenObservation(base: base) { [lock] in lock.hold { base.cancel() } }
    }
}

/// A center that holds a lock while its base center registers an observer and ends the observations of deallocated
/// owners and senders.
final class LeasingCenter: BrokenCenter, @unchecked Sendable {
    private let lock = FailingLock()

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        lock.hold { super.observe(type, sender: sender, registration: registration, using: observer) }
    }
}
