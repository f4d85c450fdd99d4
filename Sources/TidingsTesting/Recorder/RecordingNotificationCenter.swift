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
/// A recorder belongs to one test, and sees every post that is made to it. A post that is made to the center behind it reaches
/// the observers, and is not recorded.
///
/// It keeps the notifications, and with them all that they refer to, until it is released or ``forget()`` is called.
public final class RecordingNotificationCenter: KeepsNotifications {
    let base: any TypedNotificationCenter
    let record = Record()
    let observerList = ObserverList()
    let deliveries = Deliveries()

    /// Makes a recorder without posts and observers.
    ///
    /// - Parameter center: The center to which it forwards; unless one is given, the recorder stands alone.
    public init(forwardingTo center: any TypedNotificationCenter = NativeNotificationCenter()) {
        base = center
    }

    deinit {
        // Without the recorder, the gate cannot be opened any more.
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
        if N.self is any UnrecordedPost.Type { return base.post(notification, from: place) }
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
        if type == CenterInquiry.self { return CenterAnswer(center: self) }
        let receiver = Receiver(type, registration: registration)
        guard receiver.isAsynchronous else {
            let observation = base.observe(type, sender: sender, registration: registration, using: observer)
            return observerList.add(receiver, observation, of: self)
        }
        let observation = base.observe(type, sender: sender, registration: registration) { [deliveries] notification in
            let kept = KeptNotification(notification)
            // The notification is `Sendable`, as every asynchronous delivery demands it of the type.
            nonisolated(unsafe) let notification = notification
            deliveries.deliver(to: receiver, kept) { unsafe observer(notification) }
        }
        return observerList.add(receiver, observation, of: self)
    }

    /// Ends all observations that are tied to an owner, here and in the center behind; what is held at the ``gate`` for such an
    /// observer is discarded.
    ///
    /// - Parameter owner: The owner.
    public func removeObservers(of owner: AnyObject) {
        observerList.removeObservers(of: owner)
        base.removeObservers(of: owner)
    }

    /// Releases everything that was recorded, here and by a recorder behind this one.
    ///
    /// Observers stay, and so does what is held at the ``gate``.
    public func forget() {
        record.removeAll()
        // The center behind this one has recorded the same posts, if it is a recorder.
        (base as? any KeepsNotifications)?.forget()
    }
}

extension RecordingNotificationCenter: ListingCenter {
    /// The observations of the center behind this one.
    public var observations: [ObservationStatus] { base.observations }

    /// The numbers of the center behind this one.
    public var statistics: NotificationStatistics { base.statistics }

    @usableFromInline
    package func attach(_ monitor: AttachedMonitor) -> MonitorAttachment {
        base.listing?.attach(monitor) ?? MonitorAttachment(monitor, to: Monitoring()) { _ in }
    }

    @usableFromInline
    package func queues<N: TypedNotification>(reachedBy notification: N) -> [any ObserverQueue] {
        base.listing?.queues(reachedBy: notification) ?? []
    }

    @usableFromInline package var nativeCenters: [NativeNotificationCenter] { base.listing?.nativeCenters ?? [] }

    /// What is held at the gate is not waited for. It reaches its observer when the gate opens.
    @usableFromInline
    package func finish(
        by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        await base.listing?.finish(by: finish) ?? []
    }
}

extension RecordingNotificationCenter: CustomStringConvertible {
    /// The posts and the observers that are registered, one a line.
    public var description: String {
        (["Posts:"] + Listing.lines(log) + ["Observers:"] + Listing.lines(observers)).joined(separator: "\n")
    }
}

extension RecordingNotificationCenter {
    /// Every post since the recorder was made or last told to forget, in order.
    public var log: [RecordedPost] { record.posts }

    /// What was posted of a type, in order.
    ///
    /// Notifications of types that are not `Sendable` are in the ``log``, as text.
    ///
    /// - Parameter type: The notification type.
    /// - Returns: The notifications.
    public func posted<N: TypedNotification & Sendable>(_ type: N.Type) -> [N] {
        log.compactMap { $0.kept.value(as: type) }
    }

    /// What was posted of a main-actor type, in order.
    ///
    /// - Parameter type: The notification type.
    /// - Returns: The notifications.
    public func posted<N: MainActorNotification & Sendable>(_ type: N.Type) -> [N] {
        log.compactMap { $0.kept.value(as: type) }
    }

    /// What was posted of a main-actor type, `Sendable` or not, in order.
    ///
    /// - Parameter type: The notification type.
    /// - Returns: The notifications.
    @MainActor
    public func posted<N: MainActorNotification>(_ type: N.Type) -> [N] {
        log.compactMap { $0.kept.value(onMainActor: type) }
    }
}

extension RecordingNotificationCenter {
    /// The observers that are registered, in the order in which they were.
    public var observers: [RecordedObserver] { observerList.active.map(RecordedObserver.init) }

    /// Holds what is on its way to asynchronous observers; it is open until it is closed.
    public var gate: DeliveryGate { DeliveryGate(deliveries: deliveries) }

    /// Returns when every asynchronous observer has finished with what was posted, and with what observers posted in turn.
    ///
    /// What a test knows then, it knows for sure: no time has to pass. What is held at the ``gate`` is not waited for;
    /// neither are the consumers of sequences, nor tasks that the code under test has started itself: await those first. Do
    /// not call this from an observer, which would wait for itself.
    ///
    /// If the task is cancelled, this returns at once.
    public func drain() async { await deliveries.drain() }
}
