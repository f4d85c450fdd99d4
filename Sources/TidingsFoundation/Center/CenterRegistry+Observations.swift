import Foundation

extension CenterRegistry {
    /// The lock's closure also returns the forwarders, so that they are released after the unlock.
    var nativeCenters: [NativeNotificationCenter] {
        state.withLock { state in (state.forwarders.values.map(\.forwarder), state.nativeCenters) }.1
    }

    /// The centers in `nativeCenters`, and the native centers for which `finish` is waiting. Observers of these centers
    /// may still have queued notifications.
    var livingCenters: [NativeNotificationCenter] {
        state.withLock { state in
            (state.forwarders.values.map(\.forwarder), state.nativeCenters + state.finishing.map { $0.center })
        }.1
    }

    /// Returns a part of the state, and the native centers that `keep` hasn't added to this part yet.
    private func recorded<Part>(_ part: (inout State) -> Part) -> (Part, [NativeNotificationCenter]) {
        let (_, part, centers) = state.withLock { state in
            (state.forwarders.values.map(\.forwarder), part(&state), state.unkept + state.nativeCenters)
        }
        return (part, centers)
    }

    /// Removes all entries from the state, so that later observers are registered with new native centers. The closure
    /// receives the native centers of these entries, and the native centers that an earlier call is still finishing.
    func finish(
        _ center: NotificationCenter, by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        let (entries, released, all) = state.withLock { state in
            // These may be the last references to the forwarders, which mustn't be released before the unlock. The
            // same holds for the entries of messages.
            let released = (state.forwarders.values.map(\.forwarder), state.messages)
            let entries = Array(state.forwarders.values)
            let centers = state.nativeCenters
            state.finishing += centers.map { (center: $0, calls: 0) }
            for index in state.finishing.indices { state.finishing[index].calls += 1 }
            state.unkept += centers
            (state.forwarders, state.messages) = ([:], [:])
            return (entries, released, state.finishing.map { $0.center })
        }
        let left = await finish(all)
        let awaited = Set(all.map { ObjectIdentifier($0) })
        state.withLock { state in
            for (index, entry) in state.finishing.enumerated() where awaited.contains(ObjectIdentifier(entry.center)) {
                state.finishing[index].calls -= 1
            }
            // Another call may still wait for a native center of `all`.
            state.finishing.removeAll { $0.calls == 0 }
        }
        for entry in entries { remove(entry, from: center) }
        // The native centers in `all` mustn't be released before the unlock either.
        withExtendedLifetime((released, all)) {}
        return left
    }

    var observations: [ObservationStatus] { nativeCenters.flatMap(\.observations) }

    /// Keeps what a removed native center recorded: the last 64 ended observations, and the statistics of 1000 names.
    func keep(_ center: NativeNotificationCenter) {
        let (ended, statistics) = (center.endedObservations, center.statistics)
        state.withLock { state in
            state.unkept.removeAll { $0 === center }
            state.ended = (state.ended + ended).suffix(64)
            state.past.add(statistics, upTo: 1000)
        }
    }

    var statistics: NotificationStatistics {
        var (sum, centers) = recorded { $0.past }
        for center in centers { sum.add(center.statistics) }
        return sum.statistics
    }

    var endedObservations: [EndedObservation] {
        let (ended, centers) = recorded { $0.ended }
        return ended + centers.flatMap(\.endedObservations)
    }

    func removeObservers(of owner: AnyObject) {
        for center in livingCenters { center.removeObservers(of: owner) }
    }

    func refreshMonitoring(_ new: AttachedMonitor?) {
        for center in livingCenters { center.refreshMonitoring(new) }
    }
}
