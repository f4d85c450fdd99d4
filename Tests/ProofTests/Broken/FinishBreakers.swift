import Tidings

/// A center that answers inquiries itself, so that it is asked to drain and to finish, and does both wrong.
class BrokenListingCenter: BrokenCenter, ListingCenter, @unchecked Sendable {
    var observations: [ObservationStatus] { base.observations }

    func attach(_ monitor: AttachedMonitor) -> MonitorAttachment {
        MonitorAttachment(monitor, to: Monitoring()) { _ in }
    }

    var nativeCenters: [NativeNotificationCenter] { base.listing?.nativeCenters ?? [] }

    func finish(
        by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        await base.listing?.finish(by: finish) ?? []
    }
}

/// A drain does not wait, and says that nothing is left.
final class DismissiveCenter: BrokenListingCenter, @unchecked Sendable {
    override var nativeCenters: [NativeNotificationCenter] { [] }
}

/// A finish ends all observations at once, also for posts that are under way, and what they were to put into queues is lost.
final class AbruptCenter: BrokenListingCenter, @unchecked Sendable {
    private let handles = Lock<[any ObserverHandle]>([])

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let handle = super.observe(type, sender: sender, registration: registration, using: observer)
        handles.withLock { $0.append(handle) }
        return handle
    }

    override func finish(
        by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        for handle in handles.withLock({ $0 }) { handle.cancel() }
        return []
    }
}

/// A finish does not wait, and says that nothing is left.
final class CarelessCenter: BrokenListingCenter, @unchecked Sendable {
    override func finish(
        by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        _ = await base.finish(within: .zero)
        return []
    }
}

/// A finish drains, and posts go on.
final class UnendingCenter: BrokenListingCenter, @unchecked Sendable {
    override func finish(
        by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        await base.drain(within: .zero)
    }
}

/// The observers of an owner stay when they are to be removed.
final class LoyalCenter: BrokenCenter, @unchecked Sendable {
    override func removeObservers(of owner: AnyObject) {}
}
