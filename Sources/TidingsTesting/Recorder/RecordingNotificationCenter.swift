public import Tidings

/// A center for tests that records every post and every observer.
///
/// Hand it to the code under test in the place of its center. It stands alone, or forwards to another center; it keeps all
/// promises that this one keeps.
///
/// ```swift
/// let recorder = RecordingNotificationCenter()
/// let model = Model(center: recorder)
/// model.save()
/// await recorder.expectPosted(exactly: .equal(to: Saved(id: 7)))
/// ```
///
/// A recorder belongs to one test, and sees what is posted to it, whoever does that. What is posted to the center behind it
/// reaches the observers, and is not recorded.
///
/// It keeps what was posted, and with it whatever the notifications refer to, until it is let go or ``forget()`` is called.
public final class RecordingNotificationCenter: KeepsNotifications {
    let base: any TypedNotificationCenter
    let record = Record()
    let observerList = ObserverList()
    let deliveries = Deliveries()

    /// Makes a recorder without posts and observers.
    ///
    /// - Parameter center: The center to which it forwards. Leave it out for a recorder that stands alone.
    public init(forwardingTo center: any TypedNotificationCenter = NativeNotificationCenter()) {
        base = center
    }

    deinit {
        // Nobody can open the gate any more.
        deliveries.discard()
    }

    /// Records a notification and posts it.
    ///
    /// It is recorded before its observers run, so the log has the order of the posts: what an observer posts comes later.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - place: Where the source posts it.
    /// - Returns: How many observers were called.
    @discardableResult
    public func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        let calls = record.add(notification, from: place)
        let count = base.post(notification, from: place)
        calls.count = count
        return count
    }

    /// Registers a closure for a notification type; to observe, call one of the `addObserver` methods.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited; `nil` for every sender.
    ///   - registration: What is known about the observer beside its closure. Every delivery but those in the post goes
    ///     through the ``gate``; their notifications have to be `Sendable`.
    ///   - observer: The closure to call in the post.
    /// - Returns: The observation.
    public func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let receiver = Receiver(type, registration: registration)
        guard receiver.isAsynchronous else {
            let observation = base.observe(type, sender: sender, registration: registration, using: observer)
            return observerList.add(receiver, observation, of: self)
        }
        let observation = base.observe(type, sender: sender, registration: registration) { [deliveries] notification in
            let kept = KeptNotification(notification)
            // It is `Sendable`, as every asynchronous delivery asks for it.
            nonisolated(unsafe) let notification = notification
            deliveries.deliver(to: receiver, kept) { unsafe observer(notification) }
        }
        return observerList.add(receiver, observation, of: self)
    }

    /// Lets go of everything that was recorded, here and by a recorder behind this one. Observers and what is held at the gate
    /// stay.
    public func forget() {
        record.removeAll()
        // What was posted here is there, too.
        (base as? any KeepsNotifications)?.forget()
    }
}

extension RecordingNotificationCenter: CustomStringConvertible {
    /// The posts and the observers that are registered, one a line.
    public var description: String {
        (["Posts:"] + Listing.lines(log) + ["Observers:"] + Listing.lines(observers)).joined(separator: "\n")
    }
}
