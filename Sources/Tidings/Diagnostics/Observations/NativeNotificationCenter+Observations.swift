extension NativeNotificationCenter {
    /// Who observes what, since where, and what waits: the observations that a post can reach, by notification type and in
    /// the order of their registration.
    ///
    /// It is meant to be looked at, by a person or a test: to collect it takes the lock of every notification type in turn,
    /// so it is not one moment for all types. Observations whose owner or sender is gone are not listed, and end now.
    public var observations: [ObservationStatus] { channels.observations() }
}

extension NativeNotificationCenter: CustomStringConvertible {
    /// The observations as a table.
    public var description: String {
        let observations = observations
        return "\(describe(self)), \(observations.count) observations"
            + (observations.isEmpty ? "" : ":\n" + observations.table)
    }
}
