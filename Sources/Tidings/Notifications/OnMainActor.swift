/// Wraps a main-actor notification for its way through a center, whose requirements take typed notifications only.
///
/// It can only be made on the main actor, and is posted synchronously, so its observers run on the main actor too.
@usableFromInline
package struct OnMainActor<N: MainActorNotification>: TypedNotification, BelongsToMainActor {
    @export(implementation) package let notification: N

    @export(implementation) package static var name: String { N.name }
    @export(implementation) package static var content: Any.Type { N.self }
    @export(implementation) package static var senderComparison: SenderComparison<N.Sender> { N.senderComparison }
    @export(implementation) package static var replay: NotificationReplay { N.replay }
    @export(implementation) package var sender: N.Sender { notification.sender }
    @usableFromInline package var wrapped: Any { notification }

    @export(implementation)
    @MainActor
    package init(notification: N) { self.notification = notification }

    /// A closure that checks that it is called on the main actor, and calls a main-actor closure.
    ///
    /// A post is made on the main actor, and is synchronous, so it passes the check, unless a center hands it to another thread.
    /// `MainActor.assumeIsolated` checks the same, but allocates a closure for each call.
    @export(implementation)
    package static func checking(_ observer: @escaping @MainActor (N) -> Void) -> @Sendable (OnMainActor) -> Void {
        // The isolation of a function is no part of what it is at run time: `assumeIsolated` makes the same cast. In a struct, a
        // closure is not wrapped for the cast. It is only called after the check, and a main-actor closure is `Sendable`.
        nonisolated(unsafe) let body = unsafe unsafeBitCast(IsolatedBody(body: observer), to: Body<N>.self).body
        return { note in
            MainActor.preconditionIsolated()
            unsafe body(note.notification)
        }
    }

    /// Calls a main-actor closure with the notification.
    @export(implementation)
    @inline(__always)
    package func call(_ observer: @MainActor (N) -> Void) {
        // The post was made on the main actor and is synchronous, so the notification crosses no isolation boundary.
        // `assumeIsolated` checks that at run time.
        nonisolated(unsafe) let notification = notification
        MainActor.assumeIsolated { unsafe observer(notification) }
    }
}

/// A main-actor closure; see ``OnMainActor/checking(_:)``.
@usableFromInline
struct IsolatedBody<N> {
    @export(implementation) let body: @MainActor (N) -> Void

    @export(implementation)
    init(body: @escaping @MainActor (N) -> Void) { self.body = body }
}

/// The same closure, with its isolation taken away.
@usableFromInline
struct Body<N> {
    @export(implementation) let body: (N) -> Void

    @export(implementation)
    init(body: @escaping (N) -> Void) { self.body = body }
}

/// A typed notification whose observers all run on the main actor, and trap elsewhere.
@usableFromInline
package protocol BelongsToMainActor {
    /// The notification type that it wraps.
    static var content: Any.Type { get }

    /// The notification that it wraps.
    var wrapped: Any { get }
}
