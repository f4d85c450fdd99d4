import Foundation

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NotificationCenter {
    /// Registers an observer of messages with a native center. `register` must pass the closure that it receives to
    /// Foundation. This closure posts each message on the native center. When the native center ends its observation,
    /// Foundation's observation ends, too.
    func forwardMessages<N: TypedNotification, Subject: AnyObject>(
        from sender: SenderFilter<Subject?>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void,
        register: (Subject?, @escaping @Sendable (N) -> Void) -> NotificationCenter.ObservationToken
    ) -> ForwardedObservation {
        let registry = CenterRegistry.of(self)
        let messages = MessageCenter(of: registry)
        let lease = MessageLease()
        let base = messages.observers.observe(
            N.self, sender: .everyone, registration: registration.with(limit: sender)
        ) { note in
            // The closure holds the lease, so releasing the closure ends Foundation's observation.
            withExtendedLifetime(lease) { observer(note) }
        }
        // The subject of a main-actor message is only accessed on the main actor. Elsewhere, it counts as alive.
        let belongsToMainActor = N.self is any BelongsToMainActor.Type
        let isSenderAlive: @Sendable () -> Bool = {
            belongsToMainActor && !MainThread.isCurrent || sender.isSenderAlive
        }
        let owner = registration.owner
        registry.insert(messages.observers) {
            if owner?.isAlive == false { base.end(.ownerGone) } else if !isSenderAlive() { base.end(.senderGone) }
        }
        lease.hold(
            register(sender.sender ?? nil) { note in
                // Foundation only compares addresses, and another object may have the address of a deallocated subject
                // by now. Main-actor messages arrive on the main actor, so the subject can be checked here.
                if isSenderAlive() { messages.observers.post(note, from: .unknown) }
            })
        registry.endSomeDeadMessages()
        var observation = ForwardedObservation(base: base, foundationCenter: ObjectIdentifier(self))
        observation.isSenderAlive = isSenderAlive
        return observation
    }
}

private final class MessageCenter: Sendable {
    let observers: NativeNotificationCenter
    private let registry: CenterRegistry

    init(of registry: CenterRegistry) {
        self.registry = registry
        observers = NativeNotificationCenter(name: nil, monitoring: registry.monitoring)
    }

    deinit { registry.remove(observers) }
}

/// Ends Foundation's observation on another thread after this lease is released. Ending the observation takes the lock
/// of Foundation's center. The releasing thread may already hold this lock, because Foundation holds it while it
/// releases a block, and a block can have the last reference to a ``NotificationToken``.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
private final class MessageLease: Sendable {
    /// A separate object, so that the releasing thread never has a reference to the token.
    private final class Holder: Sendable {
        let token = Lock<NotificationCenter.ObservationToken?>(nil)
    }

    private let holder = Holder()

    deinit {
        DispatchQueue.global().async { [holder] in
            // `withLock` returns the token, so that the token is released after the unlock.
            _ = holder.token.withLock { $0.take() }
        }
    }

    func hold(_ token: NotificationCenter.ObservationToken) { holder.token.withLock { $0 = token } }
}
