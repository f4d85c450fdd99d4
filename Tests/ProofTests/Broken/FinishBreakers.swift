import Tidings

/// A center that conforms to `ListingCenter`, so that `drain` and `finish` use the members that subclasses override,
/// and not those of the base center.
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

/// A center whose `drain` doesn't wait, and reports that nothing is left.
final class DismissiveCenter: BrokenListingCenter, @unchecked Sendable {
    override var nativeCenters: [NativeNotificationCenter] { [] }
}

/// A center that ends all observations at once when it finishes. Posts in progress don't call their other observers.
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

/// A center whose `finish` doesn't wait, and reports that nothing is left.
final class CarelessCenter: BrokenListingCenter, @unchecked Sendable {
    override func finish(
        by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        _ = await base.finish(within: .zero)
        return []
    }
}

/// A center whose `finish` only drains it, so that it continues to accept posts.
final class UnendingCenter: BrokenListingCenter, @unchecked Sendable {
    override func finish(
        by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        await base.drain(within: .zero)
    }
}

/// A center that doesn't remove the observers of an owner.
final class LoyalCenter: BrokenCenter, @unchecked Sendable {
    override func removeObservers(of owner: AnyObject) {}
}
