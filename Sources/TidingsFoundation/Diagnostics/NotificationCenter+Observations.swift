public import Foundation

extension NotificationCenter {
    /// Who observes what through Tidings, since where, and what waits; Foundation's own observers are not known.
    ///
    /// What is observed is a notification type, or, with a descriptor, the name of a notification.
    ///
    /// ```swift
    /// print(NotificationCenter.default.observations.table)
    /// ```
    public var observations: [ObservationStatus] {
        InnerCenter.all(of: self).flatMap(\.posts.observations)
    }
}
