import Foundation

/// A notification that does not go through Foundation's center as a `Notification`, but by its own means.
protocol SelfDelivered: TypedNotification {
    /// Posts the notification.
    ///
    /// - Returns: How many observers were called, as far as that is known.
    func post(on center: NotificationCenter) -> Int

    /// Registers an observer.
    static func observe(
        on center: NotificationCenter, sender: Sender?, registration: ObserverRegistration,
        using observer: @escaping @Sendable (Self) -> Void
    ) -> any ObserverHandle
}

/// A main-actor notification that does not go through Foundation's center as a `Notification`, but by its own means.
protocol MainActorSelfDelivered: MainActorNotification {
    /// Posts the notification.
    ///
    /// - Returns: How many observers were called, as far as that is known.
    @MainActor
    func post(on center: NotificationCenter) -> Int

    /// Registers an observer.
    static func observe(
        on center: NotificationCenter, sender: Sender?, registration: ObserverRegistration,
        using observer: @escaping @Sendable (OnMainActor<Self>) -> Void
    ) -> any ObserverHandle
}

/// On its way through a center, a main-actor notification is delivered as itself.
extension OnMainActor: SelfDelivered where N: MainActorSelfDelivered {
    func post(on center: NotificationCenter) -> Int {
        // Nothing crosses an isolation boundary: this is the main actor, which `assumeIsolated` checks.
        nonisolated(unsafe) let notification = notification
        return MainActor.assumeIsolated { unsafe notification.post(on: center) }
    }

    static func observe(
        on center: NotificationCenter, sender: N.Sender?, registration: ObserverRegistration,
        using observer: @escaping @Sendable (Self) -> Void
    ) -> any ObserverHandle {
        N.observe(on: center, sender: sender, registration: registration, using: observer)
    }
}
