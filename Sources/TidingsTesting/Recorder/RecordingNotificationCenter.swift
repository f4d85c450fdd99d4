public import Tidings

/// A center for tests that records all posts and observers.
///
/// Pass the recorder to the code under test as its center. By default, a recorder works on its own. It can also forward
/// to another center, and then behaves like that center.
///
/// ```swift
/// let recorder = RecordingNotificationCenter()
/// let model = Model(center: recorder)
/// model.save()
/// await recorder.expectPosted(exactly: .equal(to: Saved(id: 7)))
/// ```
///
/// A recorder belongs to one test, and records every post that is made on it, but not posts on the underlying center.
/// It keeps the notifications, and everything that they refer to, until it is deallocated or ``forget()`` is called.
public final class RecordingNotificationCenter: KeepsNotifications {
    let base: any TypedNotificationCenter
    let record = Record()
    let observerList = ObserverList()
    let deliveries = Deliveries()

    /// Creates a recorder without posts and observers.
    ///
    /// - Parameter center: The center to which the recorder forwards. By default, the recorder works on its own.
    public init(forwardingTo center: any TypedNotificationCenter = NativeNotificationCenter()) {
        base = center
    }

    deinit {
        // Without the recorder, only a test that stored the gate could open it. If the gate stayed closed, observers
        // that are still registered with the underlying center would receive nothing, and `deliver` would never return.
        deliveries.state.withLock { $0.isClosed = false }
        deliveries.discard()
    }

    /// Records a notification and then posts it, so ``log`` has the order of the posts.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - place: The line of source that posts it.
    /// - Returns: The number of observers called.
    @discardableResult
    public func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        recording(notification, from: place) { base.post(notification, from: place) }
    }

    private func recording<N: TypedNotification>(_ notification: N, from place: SourcePlace, post: () -> Int) -> Int {
        if N.self is any UnrecordedPost.Type { return post() }
        let calls = record.add(notification, from: place)
        let count = post()
        calls.count = count
        return count
    }

    /// Registers a closure for a notification type. To observe, call one of the `addObserver` methods.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, or no limit.
    ///   - registration: The details of the observer besides its closure. Deliveries to asynchronous observers go
    ///     through the ``gate``, and their notifications have to be `Sendable`.
    ///   - observer: The closure to call during the post.
    /// - Returns: The observation.
    public func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let receiver = Receiver(type, registration: registration)
        var call = observer
        if !registration.delivery.isInPost {
            call = { [deliveries] notification in
                let kept = KeptNotification(notification)
                // The type is `Sendable`, because every asynchronous delivery requires that.
                nonisolated(unsafe) let notification = notification
                deliveries.deliver(to: receiver, kept) { unsafe observer(notification) }
            }
        }
        let observation = base.observe(type, sender: sender, registration: registration, using: call)
        return observerList.add(receiver, observation, of: self)
    }

    /// Ends all observations that are tied to an owner, and discards the deliveries that the ``gate`` holds for them.
    ///
    /// - Parameter owner: The owner.
    public func removeObservers(of owner: AnyObject) {
        observerList.removeObservers(of: owner)
        base.removeObservers(of: owner)
    }

    /// Discards the recorded posts, including those of an underlying recorder, but not the deliveries in the ``gate``.
    public func forget() {
        record.removeAll()
        // If the underlying center is a recorder, it has recorded the same posts.
        (base as? any KeepsNotifications)?.forget()
    }
}

extension RecordingNotificationCenter: ListingCenter {
    /// The observations of the underlying center.
    public var observations: [ObservationStatus] { base.observations }

    /// The statistics of the underlying center.
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
    @usableFromInline package var drainedCenters: [NativeNotificationCenter] { base.listing?.drainedCenters ?? [] }

    @usableFromInline
    package func post<N: TypedNotification>(
        _ notification: N, toObservers numbers: [UInt64], from place: SourcePlace
    ) -> Int {
        recording(notification, from: place) {
            base.listing?.post(notification, toObservers: numbers, from: place) ?? 0
        }
    }

    /// Finishes the underlying center. Deliveries that the gate holds reach their observers when the gate opens.
    @usableFromInline
    package func finish(
        by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        await base.listing?.finish(by: finish) ?? []
    }

    @usableFromInline
    package func drain(by drain: ([NativeNotificationCenter]) async -> Void) async { await self.drain() }
}

extension RecordingNotificationCenter: CustomStringConvertible {
    /// The posts and the registered observers, one on each line.
    public var description: String {
        (["Posts:"] + numberedLines(log) + ["Observers:"] + numberedLines(observers)).joined(separator: "\n")
    }

    /// All posts since the recorder was created or ``forget()`` was last called, in order.
    public var log: [RecordedPost] { record.posts }

    /// Returns the posted notifications of a `Sendable` type, in order. For other types, see the texts in the ``log``.
    ///
    /// - Parameter type: The notification type.
    /// - Returns: The notifications.
    public func posted<N: TypedNotification & Sendable>(_ type: N.Type) -> [N] {
        log.compactMap { $0.kept.value(as: type) }
    }

    /// Returns the posted notifications of a main-actor type, in order.
    ///
    /// - Parameter type: The notification type.
    /// - Returns: The notifications.
    public func posted<N: MainActorNotification & Sendable>(_ type: N.Type) -> [N] {
        log.compactMap { $0.kept.value(as: type) }
    }

    /// Returns the posted notifications of a main-actor type, `Sendable` or not, in order.
    ///
    /// - Parameter type: The notification type.
    /// - Returns: The notifications.
    @MainActor
    public func posted<N: MainActorNotification>(_ type: N.Type) -> [N] {
        log.compactMap { $0.kept.value(onMainActor: type) }
    }

    /// The registered observers, in the order of registration.
    public var observers: [RecordedObserver] { observerList.active.map(RecordedObserver.init(receiver:)) }

    /// A gate that can hold deliveries to asynchronous observers. It is open until you close it.
    public var gate: DeliveryGate { DeliveryGate(deliveries: deliveries) }

    /// Returns when asynchronous observers have handled all posts, including posts that observers made in response, or
    /// when the task is cancelled.
    ///
    /// The method uses no clock. It doesn't wait for deliveries that the ``gate`` holds, or for consumers of sequences.
    /// It doesn't wait for tasks that the code under test starts either, so await these tasks first. Don't call the
    /// method in an observer, because the method would wait for that observer.
    public func drain() async { await deliveries.drain() }
}
