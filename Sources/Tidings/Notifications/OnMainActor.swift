/// A main-actor notification on its way through a center, which only knows typed notifications.
///
/// It can only be made on the main actor, and is posted synchronously, so every observer of it is on the main actor too.
package struct OnMainActor<N: MainActorNotification>: TypedNotification, BelongsToMainActor {
    package let notification: N

    package static var name: String { N.name }
    package static var content: Any.Type { N.self }
    package static var senderComparison: SenderComparison<N.Sender> { N.senderComparison }
    package var sender: N.Sender { notification.sender }

    @MainActor
    package init(notification: N) { self.notification = notification }

    /// Calls a main-actor closure with the notification.
    package func call(_ observer: @MainActor (N) -> Void) {
        // The post that led here was made on the main actor and is synchronous, so nothing crosses an isolation boundary;
        // `assumeIsolated` checks it.
        nonisolated(unsafe) let notification = notification
        MainActor.assumeIsolated { unsafe observer(notification) }
    }
}

/// A typed notification of which every observer asserts the main actor.
package protocol BelongsToMainActor {
    /// The notification type that it stands for.
    static var content: Any.Type { get }
}
