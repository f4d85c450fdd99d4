import Foundation
import Tidings

/// A post inside a post does nothing.
final class FlatCenter: BrokenCenter, @unchecked Sendable {
    private let tracker = PostTracker()

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        if tracker.innermost != nil { return 0 }
        return tracker.track(notification) { super.post(notification, from: place) }
    }
}

/// A lock is held while observers run; it lets the same thread in again.
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

/// A lock that gives up after a while, so that the thread of a test that ran into a deadlock ends some time.
private final class FailingLock: Sendable {
    private let lock = NSRecursiveLock()

    func hold<Result>(_ body: () -> Result) -> Result {
        let isHeld = lock.lock(before: Date(timeIntervalSinceNow: 3))
        defer { if isHeld { lock.unlock() } }
        return body()
    }
}

/// A lock is held while an observation ends, and what its observer captured with it.
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

/// A lock is held while the center that does the work registers an observer, and ends what it finds to be over.
final class LeasingCenter: BrokenCenter, @unchecked Sendable {
    private let lock = FailingLock()

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        lock.hold { super.observe(type, sender: sender, registration: registration, using: observer) }
    }
}
