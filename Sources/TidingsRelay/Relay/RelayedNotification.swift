/// The origin of a notification that arrived.
public struct NotificationOrigin: Hashable, Sendable {
    /// The identity of the event, which is the same for each delivery.
    public let id: String

    /// The name of the program that posted the notification.
    public let source: String

    /// The ``RelayOptions/instance`` of that program, or `nil` if the event doesn't contain it.
    public let instance: String?

    /// The time of the post in RFC 3339 format, or `nil` if the event doesn't contain it.
    public let time: String?

    /// The subject of the message.
    public let subject: String

    /// The number of deliveries, including this one. It is 1 for a transient notification. If it is larger, observers
    /// here or in another program may have handled the notification already.
    public let deliveryCount: Int

    /// The number of the notification in the stream, or `nil` for a transient one.
    public let streamSequence: UInt64?

    /// The trace to which the notification belongs, or `nil` if the event has none.
    public let trace: RelayTraceContext?

    /// The additional headers: see ``NotificationRelay/publish(_:id:headers:postingLocally:)``.
    public let headers: [String: String]
}

/// A notification that arrived, with its origin. The relay posts it just before each delivery of the notification.
///
/// ```swift
/// center.addObserver(for: RelayedNotification<OrderPlaced>.self) { received in
///     if received.origin.deliveryCount > 1 { print("again: \(received.notification.number)") }
/// }.store(in: &tokens)
/// ```
public struct RelayedNotification<N: RemoteNotification>: TypedNotification, IdentifiedDelivery, Sendable {
    /// The notification.
    public let notification: N

    /// The origin of the notification.
    public let origin: NotificationOrigin

    private let fate: Fate

    init(_ notification: N, _ origin: NotificationOrigin, _ fate: Fate) {
        self.notification = notification
        self.origin = origin
        self.fate = fate
    }

    /// The name of the program that posted the notification.
    public var deliverySource: String { origin.source }

    /// The identity of the event.
    public var deliveryID: String { origin.id }

    /// Requests the redelivery of a durable notification, as if an observer had failed. Call it before the observers
    /// have finished. It has no effect on a transient notification.
    public func retry() { fate.isRetry.withLock { $0 = true } }
}

final class Fate: Sendable {
    let isRetry = Lock(false)

    func problem(in receipt: DeliveryReceipt, _ event: ArrivedEvent) -> RelayFault? {
        if receipt.observers == 0 { return RelayFault(.unobserved, id: event.id, "\(event.type) has no observer") }
        if let failure = receipt.failures.first { return RelayFault(.observerFailed, id: event.id, "\(failure)") }
        if isRetry.withLock({ $0 }) {
            return RelayFault(.observerFailed, id: event.id, "an observer requested a retry")
        }
        return nil
    }
}

extension NotificationOrigin {
    init(_ event: ArrivedEvent, _ message: RelayMessage, _ delivery: StreamDelivery?) {
        self.init(
            id: event.id, source: event.source, instance: event.instance, time: event.time, subject: message.subject,
            deliveryCount: delivery?.count ?? 1,
            streamSequence: delivery?.sequence, trace: event.trace, headers: OwnHeaders.found(in: message))
    }
}
