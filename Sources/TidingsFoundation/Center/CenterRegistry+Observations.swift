import Foundation

// What a center's registry does with all observers of the center, in whichever native center they are.

extension CenterRegistry {
    /// The native centers that have the observers. The forwarders are released after the lock.
    var nativeCenters: [NativeNotificationCenter] {
        state.withLock { state in (state.forwarders.values.map(\.forwarder), state.nativeCenters) }.1
    }

    /// Takes out all forwarders and messages, so that observers which come later come to new ones, and finishes them.
    ///
    /// - Parameters:
    ///   - center: Foundation's center.
    ///   - finish: Finishes the native centers that have the observers, and those that another call is finishing.
    /// - Returns: What it returns.
    func finish(
        _ center: NotificationCenter, by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        let (entries, forwarders, all) = state.withLock { state in
            // Kept until the lock is free, as this may have the last reference to a forwarder.
            let forwarders = state.forwarders.values.map(\.forwarder)
            let entries = Array(state.forwarders.values)
            state.finishing += state.nativeCenters
            (state.forwarders, state.messages) = ([:], [:])
            return (entries, forwarders, state.finishing)
        }
        let left = await finish(all)
        state.withLock { state in state.finishing.removeAll { center in all.contains { $0 === center } } }
        for entry in entries { remove(entry, from: center) }
        // The centers too, which were in the state.
        withExtendedLifetime((forwarders, all)) {}
        return left
    }

    /// How the observations stand.
    var observations: [ObservationStatus] { nativeCenters.flatMap(\.observations) }

    /// Keeps what is known of a name that is observed no more: of all the observations that have ended, the last sixty-four, and
    /// the numbers of a thousand names.
    func keep(_ center: NativeNotificationCenter) {
        let (ended, statistics) = (center.endedObservations, center.statistics)
        state.withLock { state in
            state.ended = (state.ended + ended).suffix(64)
            state.past.add(statistics, upTo: 1000)
        }
    }

    /// How many notifications of each name, and of each message, were posted, delivered and dropped.
    var statistics: NotificationStatistics {
        var sum = state.withLock { $0.past }
        for center in nativeCenters { sum.add(center.statistics) }
        return sum.statistics
    }

    /// The observations that were the last to end.
    var endedObservations: [EndedObservation] {
        state.withLock { $0.ended } + nativeCenters.flatMap(\.endedObservations)
    }

    /// Ends the observations that are tied to an owner.
    func removeObservers(of owner: AnyObject) {
        for center in nativeCenters { center.removeObservers(of: owner) }
    }

    /// Looks at the monitors, of which one may be new.
    func refreshMonitoring(_ new: AttachedMonitor?) {
        for center in nativeCenters { center.refreshMonitoring(new) }
    }
}
