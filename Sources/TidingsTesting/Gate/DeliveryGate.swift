public import Tidings

/// Holds what is on its way to asynchronous observers, so that a test decides when each of them runs.
///
/// It is open until ``close()``. From then on a post that reaches an asynchronous observer is held, and listed in
/// ``queued``; the poster goes on as always, and observers in the post are called as always. It holds what goes to actors,
/// the main actor, tasks, queues and sequences.
///
/// ```swift
/// recorder.gate.close()
/// model.save()
/// #expect(model.isSaving)
/// await recorder.gate.open()
/// #expect(!model.isSaving)
/// ```
///
/// One task at a time releases and opens.
public struct DeliveryGate: Sendable {
    let deliveries: Deliveries

    /// Whether what is posted now is held.
    public var isClosed: Bool { deliveries.state.withLock { $0.isClosed } }

    /// What is held, in the order posted.
    ///
    /// What a cancelled observer was to get is not in it any more.
    public var queued: [QueuedDelivery] { deliveries.state.withLock { $0.held }.map(\.queued) }

    /// Holds what is posted from now on.
    public func close() {
        deliveries.state.withLock { $0.isClosed = true }
    }

    /// Lets everything pass that is held, and what is posted from now on.
    ///
    /// This returns when the observers have finished with what was held.
    public func open() async { await handOver(opening: true) { _ in true } }

    /// Hands over what has been held longest, and returns when its observer has finished.
    ///
    /// The gate stays closed, also for what the observer posts.
    ///
    /// - Returns: What was handed over; `nil` if nothing is held.
    @discardableResult
    public func releaseNext() async -> QueuedDelivery? {
        guard let next = queued.first else { return nil }
        await release(next)
        return next
    }

    /// Hands over one notification and those before it for the same observer, as that gets them in the order posted, and
    /// returns when the observer has finished.
    ///
    /// The gate stays closed, also for what the observer posts.
    ///
    /// - Parameter delivery: One of ``queued``; one that is not held any more changes nothing.
    public func release(_ delivery: QueuedDelivery) async {
        guard queued.contains(where: { $0.id == delivery.id }) else { return }
        await handOver(opening: false) { $0.receiver === delivery.receiver && $0.id <= delivery.id }
    }

    /// Hands over what is held and chosen, one by one, until nothing is left of it, and waits for the observers.
    private func handOver(opening: Bool, _ isChosen: (QueuedDelivery) -> Bool) async {
        var handedOver: Set<Int> = []
        while let held = take(opening: opening, isChosen) {
            handedOver.insert(held.queued.id)
            deliveries.handOver(held)
        }
        await deliveries.waitUntilFinished(handedOver)
    }

    private func take(opening: Bool, _ isChosen: (QueuedDelivery) -> Bool) -> Deliveries.Held? {
        deliveries.state.withLock { state in
            guard let index = state.held.firstIndex(where: { isChosen($0.queued) }) else {
                // From here on posts pass. They overtake nothing, as nothing is held any more.
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
public struct QueuedDelivery: Sendable, Identifiable {
    /// Distinguishes it from the others of its recorder. Later posts have greater ones.
    public let id: Int

    let receiver: Receiver
    let notification: KeptNotification

    /// The type of the notification.
    public var type: any NotificationContent.Type { receiver.type }

    /// The notification as text.
    public var text: String { notification.text }

    /// Where the observer runs.
    public var delivery: DeliveryMode { receiver.registration.delivery }

    /// Where the observer was registered.
    public var place: SourcePlace { receiver.place }
}

extension QueuedDelivery: CustomStringConvertible {
    /// The notification and the observer.
    public var description: String { "\(text) for the observer \(delivery) that was registered at \(place)" }
}
