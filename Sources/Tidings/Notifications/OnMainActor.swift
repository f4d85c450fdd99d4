/// A wrapper in which a main-actor notification is posted, because a center accepts only typed notifications. It can
/// only be created on the main actor, and is posted synchronously, so its observers also run on that actor.
@usableFromInline
package struct OnMainActor<N: MainActorNotification>: TypedNotification, BelongsToMainActor {
    @export(implementation) package let notification: N

    @export(implementation) package static var name: String { N.name }
    @export(implementation) package static var content: any NotificationContent.Type { N.self }
    @export(implementation) package static var senderComparison: SenderComparison<N.Sender> { N.senderComparison }
    @export(implementation) package static var replay: NotificationReplay { N.replay }
    @export(implementation) package var sender: N.Sender { notification.sender }
    @usableFromInline package var wrapped: any NotificationContent { notification }

    @export(implementation)
    @MainActor
    package init(notification: N) { self.notification = notification }

    /// Returns a closure that calls the observer after checking that the call is on the main actor. The check fails
    /// only if a center moves the post to another thread. No check is needed during a ``MainActorPost`` on the same
    /// thread. `MainActor.assumeIsolated` isn't used, because it would allocate a closure for each call.
    @export(implementation)
    package static func checking(_ observer: @escaping @MainActor (N) -> Void) -> @Sendable (OnMainActor) -> Void {
        // Functions have the same representation with and without isolation; `assumeIsolated` performs the same cast.
        // The cast is of a struct, because a bare closure would be wrapped in a thunk. The closure is only called after
        // the check, and a main-actor closure is `Sendable`.
        nonisolated(unsafe) let body = unsafe unsafeBitCast(IsolatedBody(body: observer), to: Body<N>.self).body
        return { note in
            if !MainActorPost.isUnderWay { MainActor.preconditionIsolated() }
            unsafe body(note.notification)
        }
    }

    @export(implementation)
    @inline(__always)
    package func call(_ observer: @MainActor (N) -> Void) {
        // The post was made on the main actor and is synchronous. `assumeIsolated` checks that at run time.
        nonisolated(unsafe) let notification = notification
        MainActor.assumeIsolated { unsafe observer(notification) }
    }
}

@usableFromInline
struct IsolatedBody<N> {
    @export(implementation) let body: @MainActor (N) -> Void

    @export(implementation)
    init(body: @escaping @MainActor (N) -> Void) { self.body = body }
}

@usableFromInline
struct Body<N> {
    @export(implementation) let body: (N) -> Void

    @export(implementation)
    init(body: @escaping (N) -> Void) { self.body = body }
}

@usableFromInline
package protocol BelongsToMainActor {
    static var content: any NotificationContent.Type { get }

    var wrapped: any NotificationContent { get }
}
