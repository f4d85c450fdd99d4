public import Tidings

/// Where a notification that arrived comes from.
public struct NotificationOrigin: Hashable, Sendable {
    /// The identity of the event, the same each time it is delivered.
    public let id: String

    /// The name of the program that posted it.
    public let source: String

    /// The ``RelayOptions/instance`` of that program; `nil` if the event does not say.
    public let instance: String?

    /// When it was posted, in the form of RFC 3339; `nil` if the event does not say.
    public let time: String?

    /// The subject of the message.
    public let subject: String

    /// How often it has been delivered, this time included: 1 for a transient one. More than 1 means that a program may have
    /// seen it, or a part of its observers.
    public let deliveryCount: Int

    /// Its number in the stream; `nil` for a transient one.
    public let streamSequence: UInt64?

    /// The trace to which it belongs; `nil` if the event does not say.
    public let trace: RelayTraceContext?

    /// What went along with it, see ``NotificationRelay/publish(_:id:headers:postingLocally:)``.
    public let headers: [String: String]
}

/// A notification that arrived, with its origin, for observers that want to know it.
///
/// It is posted just before the notification itself, in the same delivery.
///
/// ```swift
/// center.addObserver(for: RelayedNotification<OrderPlaced>.self) { received in
///     if received.origin.deliveryCount > 1 { print("again: \(received.notification.number)") }
/// }.store(in: &tokens)
/// ```
public struct RelayedNotification<N: RemoteNotification>: TypedNotification, IdentifiedDelivery, Sendable {
    /// The notification.
    public let notification: N

    /// Where it comes from.
    public let origin: NotificationOrigin

    private let fate: Fate

    init(_ notification: N, _ origin: NotificationOrigin, _ fate: Fate) {
        self.notification = notification
        self.origin = origin
        self.fate = fate
    }

    /// The name of the program that posted it.
    public var deliverySource: String { origin.source }

    /// The identity of the event.
    public var deliveryID: String { origin.id }

    /// Has a durable notification delivered again, as if an observer had failed. Call it before the observers have finished; of a
    /// transient one, it changes nothing.
    public func retry() { fate.isRetry.withLock { $0 = true } }
}

/// What is to become of a durable notification when its observers have finished.
final class Fate: Sendable {
    let isRetry = Lock(false)

    /// Why a durable notification has to be delivered again; `nil` if it need not.
    func problem(in receipt: DeliveryReceipt, _ event: ArrivedEvent) -> RelayFault? {
        if receipt.observers == 0 { return RelayFault(.unobserved, id: event.id, "nobody observes \(event.type)") }
        if let failure = receipt.failures.first { return RelayFault(.observerFailed, id: event.id, "\(failure)") }
        if isRetry.withLock({ $0 }) {
            return RelayFault(.observerFailed, id: event.id, "an observer asked for a retry")
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
