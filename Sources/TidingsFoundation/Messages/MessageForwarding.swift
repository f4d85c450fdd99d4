import Foundation

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NotificationCenter {
    /// Registers an observer of one of Foundation's own typed messages.
    ///
    /// What Foundation hands over is posted on a native center, which has the observer, and so ends when it should.
    ///
    /// - Parameters:
    ///   - sender: The subject to which the observer is limited.
    ///   - registration: The details of the observer, beside its closure.
    ///   - observer: The closure.
    ///   - register: Registers with Foundation, for a subject, a closure that is called with each message.
    /// - Returns: The observation.
    func forwardMessages<N: TypedNotification, Subject: AnyObject>(
        from sender: SenderFilter<Subject?>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void,
        register: (Subject?, @escaping @Sendable (N) -> Void) -> NotificationCenter.ObservationToken
    ) -> ForwardedObservation {
        let messages = MessageCenter(of: CenterRegistry.of(self))
        let lease = MessageLease()
        let base = messages.observers.observe(
            N.self, sender: .everyone, registration: registration.with(sender: sender.words)
        ) { note in
            // The observer's closure holds the lease: whatever ends the observation ends Foundation's too.
            withExtendedLifetime(lease) { observer(note) }
        }
        lease.hold(
            register(sender.sender ?? nil) { note in
                // Foundation only compares addresses, and that of a dead subject may be another's by now. Messages that belong to
                // the main actor come there, so the subject is looked at where it may be.
                if sender.isAlive { messages.observers.post(note, from: .unknown) }
            })
        var observation = ForwardedObservation(base: base, foundationCenter: ObjectIdentifier(self))
        let belongsToMainActor = N.self is any BelongsToMainActor.Type
        observation.isSenderAlive = { belongsToMainActor && !MainThread.isCurrent || sender.isAlive }
        return observation
    }
}

/// A native center that has an observer of messages, for as long as Foundation brings it some.
private final class MessageCenter: Sendable {
    let observers: NativeNotificationCenter
    private let registry: CenterRegistry

    init(of registry: CenterRegistry) {
        self.registry = registry
        observers = NativeNotificationCenter(name: nil, monitoring: registry.monitoring)
        registry.insert(observers)
    }

    deinit { registry.remove(observers) }
}

/// An observer's hold on Foundation's token: some time after it is let go, Foundation's observation ends.
///
/// That takes the lock of Foundation's center, which the thread that lets go may hold: Foundation may be releasing the block that
/// had the last reference to our token. So another thread does it.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
private final class MessageLease: Sendable {
    /// In an object of its own, so that the thread that lets go has no reference to the token at any time.
    private final class Holder: Sendable {
        let token = Lock<NotificationCenter.ObservationToken?>(nil)
    }

    private let holder = Holder()

    deinit {
        DispatchQueue.global().async { [holder] in
            // Released after the lock.
            _ = holder.token.withLock { $0.take() }
        }
    }

    func hold(_ token: NotificationCenter.ObservationToken) { holder.token.withLock { $0 = token } }
}
