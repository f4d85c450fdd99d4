import Foundation

/// An observation of one of Foundation's own typed messages: what Foundation hands over is posted on a native center, which has
/// the observer, and so ends when it should.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
struct MessageObservation: ObserverHandle {
    private let base: any ObserverHandle
    private let subject: WeakSubject
    private weak let foundationCenter: NotificationCenter?

    /// Registers an observer with Foundation.
    ///
    /// - Parameters:
    ///   - subject: The subject to which the observer is limited; `nil` for every subject.
    ///   - center: Foundation's center.
    ///   - registration: What is known about the observer beside its closure.
    ///   - observer: The closure.
    ///   - register: Registers with Foundation, for a subject, a closure that is called with each message.
    init<N: TypedNotification, Subject: AnyObject>(
        of subject: Subject?, on center: NotificationCenter, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void,
        register: (Subject?, @escaping @Sendable (N) -> Void) -> NotificationCenter.ObservationToken
    ) {
        let inner = InnerCenter(of: center)
        let lease = MessageLease()
        let weakSubject = WeakSubject(subject)
        base = inner.posts.observe(N.self, sender: .everyone, registration: registration) { note in
            // The observer's closure holds the lease: whatever ends the observation ends Foundation's too.
            withExtendedLifetime(lease) { observer(note) }
        }
        lease.holds(
            register(subject) { note in
                // Foundation only compares addresses, and that of a dead subject may be another's by now.
                if weakSubject.isAlive { inner.posts.post(note, from: .unknown) }
            })
        self.subject = weakSubject
        foundationCenter = center
    }

    var center: ObjectIdentifier? { foundationCenter.map { ObjectIdentifier($0) } }
    var isActive: Bool { base.isActive && subject.isAlive }
    func cancel() { base.cancel() }
    func drain() async { await base.drain() }
}

/// The subject to which an observer is limited, if it is.
private struct WeakSubject: @unchecked Sendable {  // it is only compared with nil
    private weak let subject: AnyObject?
    private let isLimited: Bool

    init(_ subject: AnyObject?) {
        self.subject = subject
        isLimited = subject != nil
    }

    var isAlive: Bool { !isLimited || subject != nil }
}

/// An observer's hold on Foundation's token: when it is let go, Foundation's observation ends.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
private final class MessageLease: Sendable {
    private let token = Lock<NotificationCenter.ObservationToken?>(nil)

    func holds(_ token: NotificationCenter.ObservationToken) { self.token.withLock { $0 = token } }
}
