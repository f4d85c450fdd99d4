package import Foundation

/// On its way through a center, a main-actor notification is bridged as itself.
extension OnMainActor: BridgedNotification where N: MainActorBridgedNotification {
    /// Makes the notification, on the main actor: only observers that belong there are handed one.
    package init(bridging notification: Notification) throws(NotificationDecodingError) {
        // Nothing crosses an isolation boundary: this is the main actor, which `assumeIsolated` checks.
        nonisolated(unsafe) let notification = notification
        // Only this call has it.
        nonisolated(unsafe) var made: Result<Self, NotificationDecodingError>?
        MainActor.assumeIsolated {
            unsafe made = Result { () throws(NotificationDecodingError) in
                OnMainActor(notification: try unsafe N(bridging: notification))
            }
        }
        guard let made = unsafe made else { preconditionFailure("the closure has run") }
        self = try made.get()
    }

    /// Makes the Foundation notification, on the main actor: only there is one posted.
    package func bridged() throws(NotificationEncodingError) -> Notification {
        // Nothing crosses an isolation boundary: this is the main actor, which `assumeIsolated` checks.
        nonisolated(unsafe) let notification = notification
        // As above.
        nonisolated(unsafe) var made: Result<Notification, NotificationEncodingError>?
        MainActor.assumeIsolated {
            unsafe made = Result { () throws(NotificationEncodingError) in try unsafe notification.bridged() }
        }
        guard let made = unsafe made else { preconditionFailure("the closure has run") }
        return try made.get()
    }
}
