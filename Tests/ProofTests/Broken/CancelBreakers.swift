import Tidings
import TidingsConformance

/// A center that still calls a cancelled observer in the first post after the cancellation.
final class LateCenter: BrokenCenter, @unchecked Sendable {
    private let cancelled = Lock<[any ObserverHandle]>([])

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        let due = cancelled.withLock { cancelled in
            defer { cancelled = [] }
            return cancelled
        }
        defer { for observation in due { observation.cancel() } }
        return super.post(notification, from: place)
    }

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        return BrokenObservation(base: base) { [self] in cancelled.withLock { $0.append(base) } }
    }
}

/// A center in which cancelling an observation twice ends the observation that was registered last.
final class ConfusedCenter: BrokenCenter, @unchecked Sendable {
    private let observations = Lock<[any ObserverHandle]>([])

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        observations.withLock { $0.append(base) }
        return BrokenObservation(base: base) { [self] in
            if base.isActive { base.cancel() } else { observations.withLock { $0.last }?.cancel() }
        }
    }
}

/// A center whose `cancelAndDrain` doesn't wait.
final class HastyCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        return BrokenObservation(base: base, draining: {})
    }
}

/// A center whose `cancelAndDrain` waits for one call of the observer instead of all.
///
/// If calls overlap, the call that ends first keeps its post waiting until the drain has returned. The check therefore
/// detects the early return, whichever thread runs first.
final class ImpatientCenter: BrokenCenter, @unchecked Sendable {
    private final class Calls: Sendable {
        private let counts = Lock((begun: 0, ended: 0))
        let drained = Gate()

        @TaskLocal static var isNested = false

        var firstHasEnded: Bool { counts.withLock { $0.ended > 0 || $0.begun == 0 } }

        func call(_ body: () -> Void) {
            if Self.isNested { return body() }
            counts.withLock { $0.begun += 1 }
            Self.$isNested.withValue(true) { body() }
            let othersRun = counts.withLock { counts in
                counts.ended += 1
                return counts.begun > counts.ended
            }
            if othersRun { drained.wait(patience: .seconds(60)) }
        }
    }

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let calls = Calls()
        let base = super.observe(type, sender: sender, registration: registration) { note in
            calls.call { observer(note) }
        }
        let drain: @Sendable () async -> Void = {
            while !calls.firstHasEnded { await Task.yield() }
            calls.drained.open()
        }
        return BrokenObservation(base: base, draining: drain)
    }
}

/// A center whose `cancelAndDrain` waits for all posts in progress, including posts that don't call the observer.
final class PatientCenter: BrokenCenter, @unchecked Sendable {
    private let tracker = PostTracker()

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        tracker.track(notification) { super.post(notification, from: place) }
    }

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        let drain: @Sendable () async -> Void = { [tracker] in
            while tracker.innermost != nil { await Task.yield() }
        }
        return BrokenObservation(base: base, draining: drain)
    }
}

/// A center whose `cancelAndDrain` doesn't return while the center exists.
final class StubbornCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        let drain: @Sendable () async -> Void = { [weak self] in
            while self != nil { await Task.yield() }
        }
        return BrokenObservation(base: base, draining: drain)
    }
}
