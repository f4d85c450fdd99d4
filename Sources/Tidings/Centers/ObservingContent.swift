extension TypedNotificationCenter {
    /// Registers a closure for a type that conforms to `TypedNotification` or `MainActorNotification`. A main-actor
    /// notification is observed as the ``OnMainActor`` that wraps it. The wrapper is `Sendable`, so the closure doesn't
    /// have to be isolated to the main actor.
    @export(implementation)
    package func observe<N: NotificationContent & Sendable>(
        content type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        func observe<Typed: TypedNotification>(typed: Typed.Type) -> any ObserverHandle {
            self.observe(
                typed, sender: sender.retyped(as: Typed.Sender.self), registration: registration,
                using: ContentObserver(observer).retyped(as: Typed.self).observer)
        }
        func observe<OfMainActor: MainActorNotification>(mainActor: OfMainActor.Type) -> any ObserverHandle {
            let observer = ContentObserver(observer).retyped(as: OfMainActor.self).observer
            return self.observe(
                OnMainActor<OfMainActor>.self, sender: sender.retyped(as: OfMainActor.Sender.self),
                registration: registration
            ) { note in
                observer(note.notification)
            }
        }
        if let type = N.self as? any TypedNotification.Type { return observe(typed: type) }
        if let type = N.self as? any MainActorNotification.Type { return observe(mainActor: type) }
        preconditionFailure("\(N.self) has to conform to TypedNotification or MainActorNotification")
    }
}

/// The closure of an observer, in a struct so that its parameter's type can be cast without wrapping the closure again.
@usableFromInline
package struct ContentObserver<N> {
    @export(implementation) package let observer: @Sendable (N) -> Void

    @export(implementation)
    package init(_ observer: @escaping @Sendable (N) -> Void) { self.observer = observer }

    @export(implementation)
    package func retyped<Same>(as type: Same.Type) -> ContentObserver<Same> {
        // The check makes the cast safe.
        precondition(Same.self == N.self)
        return unsafe unsafeBitCast(self, to: ContentObserver<Same>.self)
    }
}

extension SenderFilter {
    @export(implementation)
    func retyped<Same>(as type: Same.Type) -> SenderFilter<Same> {
        // The check makes the cast safe.
        precondition(Same.self == Sender.self)
        return unsafe unsafeBitCast(self, to: SenderFilter<Same>.self)
    }
}
