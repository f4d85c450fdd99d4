public import Tidings

/// Holds deliveries to asynchronous observers, so that a test decides when each observer runs.
///
/// The gate is open until you call ``close()``. From then on, deliveries to actors, the main actor, tasks, queues and
/// sequences are held and listed in ``queued``. Posting continues, and observers that the post calls run as usual.
///
/// ```swift
/// recorder.gate.close()
/// model.save()
/// #expect(model.isSaving)
/// await recorder.gate.open()
/// #expect(!model.isSaving)
/// ```
///
/// The condition of an observer is evaluated when the gate releases the delivery, so ``queued`` may list notifications
/// that a condition will reject. If an observation is cancelled, its held deliveries are discarded, even if a finishing
/// `ObserverGroup` cancels the observation.
///
/// Two calls end the observation only in the underlying center: `removeObservers(of:for:sender:)`, and cancelling a
/// token that `unlessRegistered` returned for an observer that was already registered. After such a call, the held
/// deliveries stay in ``queued``, and `deliver` waits for them, until the gate releases them. They never reach the
/// observer.
///
/// When the recorder is deallocated, the gate opens, and the deliveries that it holds are discarded. Observers that are
/// still registered with the underlying center receive later posts.
///
/// Only one task at a time may release deliveries or open the gate.
public struct DeliveryGate: Sendable {
    let deliveries: Deliveries

    /// Whether the gate holds deliveries of notifications that are posted now.
    public var isClosed: Bool { deliveries.state.withLock { $0.isClosed } }

    /// The held deliveries, in the order of their posts. Deliveries to cancelled observers are omitted, except as
    /// described for ``DeliveryGate``.
    public var queued: [QueuedDelivery] { deliveries.state.withLock { $0.held }.map(\.queued) }

    /// Holds deliveries from now on.
    public func close() { deliveries.state.withLock { $0.isClosed = true } }

    /// Releases all held deliveries, and lets later ones pass. Returns when the held deliveries have been handled.
    public func open() async { await handOver(opening: true) { _ in true } }

    /// Releases the oldest held delivery, and returns when its observer has finished. The gate stays closed, even for
    /// posts of the observer.
    ///
    /// - Returns: The delivery; `nil` if none was held.
    @discardableResult
    public func releaseNext() async -> QueuedDelivery? {
        guard let next = queued.first else { return nil }
        await release(next)
        return next
    }

    /// Releases one delivery and all earlier deliveries to its observer, because an observer receives notifications in
    /// the order posted. Returns when the observer has finished. The gate stays closed, even for posts of the observer.
    ///
    /// - Parameter delivery: An element of ``queued``. If it is no longer held, nothing happens.
    public func release(_ delivery: QueuedDelivery) async {
        guard queued.contains(where: { $0.id == delivery.id }) else { return }
        await handOver(opening: false) { $0.receiver === delivery.receiver && $0.id <= delivery.id }
    }

    private func handOver(opening: Bool, _ isChosen: (QueuedDelivery) -> Bool) async {
        var handedOver: Set<Int> = []
        while let held = take(opening: opening, isChosen) {
            handedOver.insert(held.queued.id)
            deliveries.handOver(held)
        }
        await deliveries.state.wait { [handedOver] in handedOver.isDisjoint(with: $0.unfinished.keys) }
    }

    private func take(opening: Bool, _ isChosen: (QueuedDelivery) -> Bool) -> Deliveries.Held? {
        deliveries.state.withLock { state in
            guard let index = state.held.firstIndex(where: { isChosen($0.queued) }) else {
                // No delivery is held now, so later posts can't overtake a held delivery.
                if opening { state.isClosed = false }
                return nil
            }
            let held = state.held.remove(at: index)
            state.unfinished[held.queued.id] = held.queued
            return held
        }
    }
}

/// A notification that is held for an observer.
public struct QueuedDelivery: CustomStringConvertible, Identifiable, Sendable {
    /// Identifies the delivery within its recorder. Later deliveries have greater numbers.
    public let id: Int

    let receiver: Receiver
    let notification: KeptNotification

    /// The type of the notification.
    public var type: any NotificationContent.Type { receiver.type }

    /// A textual description of the notification.
    public var text: String { notification.text }

    /// The delivery mode of the observer.
    public var delivery: DeliveryMode { receiver.registration.delivery }

    /// The line of source that registered the observer.
    public var place: SourcePlace { receiver.place }

    /// The notification and the observer.
    public var description: String { "\(text) for the observer \(delivery) that was registered at \(place)" }
}
