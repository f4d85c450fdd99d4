/// Wraps a main-actor notification for its way through a center, whose requirements take typed notifications only.
///
/// It can only be made on the main actor, and is posted synchronously, so its observers run on the main actor too.
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
        // The post was made on the main actor and is synchronous, so the notification crosses no isolation boundary.
        // `assumeIsolated` checks that at run time.
        nonisolated(unsafe) let notification = notification
        MainActor.assumeIsolated { unsafe observer(notification) }
    }
}

/// A typed notification whose observers all run on the main actor, and trap elsewhere.
package protocol BelongsToMainActor {
    /// The notification type that it wraps.
    static var content: Any.Type { get }
}
