extension NativeNotificationCenter {
    /// Who observes what, since where, and what waits: the observations that a post can reach, by notification type and in
    /// the order of their registration.
    ///
    /// It is meant to be looked at, by a person or a test: to collect it takes the lock of every notification type in turn,
    /// so it is not one moment for all types. Observations whose owner or sender is gone are not listed, and end now; the
    /// sender of a main-actor notification is not looked at, as only the main actor may.
    public var observations: [ObservationStatus] {
        channels.all().flatMap { channel in
            let host = CenterChannel.of(channel)
            return channel.statuses().map { ObservationStatus($0, host) }
        }
    }
}

extension NativeNotificationCenter: CustomStringConvertible {
    /// The observations as a table.
    public var description: String {
        let observations = observations
        return "\(describe(self)), \(observations.count) observations"
            + (observations.isEmpty ? "" : ":\n" + observations.table)
    }
}

extension ObservationStatus {
    fileprivate init(_ status: EntryStatus, _ host: CenterChannel) {
        let registration = ObserverRegistration(status.details)
        // Describing a value is its own code; no lock is held.
        let sender: String? =
            switch status.sender {
            case .everyone: registration.tie?.fields.senderDescription
            case .object(let type, let address): describe(type, address)
            case .value(let value): String(describing: value)
            case .unmatched: "a sender that is the same as no other"
            }
        let queue = registration.queue?.status
        self.init(
            observer: host.describe(status.entry, status.details), sender: sender, owner: registration.owner?.words,
            queued: queue?.queued ?? 0, dropped: queue?.dropped ?? 0, isRunning: queue?.isRunning ?? status.isCalled)
    }
}
