import Tidings
import TidingsWire

/// The notification type of a route. Only conforming types know the concrete type, and call the parts of a relay with
/// it.
protocol RelayedType: Sendable {
    associatedtype Content: RemoteNotification

    /// Observes the type and sends the notifications that are posted.
    func observe(for sender: RelaySender)

    /// Handles a message that arrived by a subscription.
    func receive(_ message: RelayMessage, on route: ActiveRoute, by handler: MessageHandler)
}

extension RelayedType {
    /// Returns whether anything other than the relay observes the type.
    func isObserved(in center: RelayedCenter) -> Bool { center.isObserved(Content.self) }

    /// Returns the message for a row of a table.
    func message(of row: TableRow, by events: EventMaker, atMost limit: Int) throws(RelayFault) -> RelayMessage {
        try events.message(of: row, as: Content.self, atMost: limit)
    }

    /// Posts a committed notification to all observers except the relay.
    func postCommitted(
        _ notification: any RemoteNotification, past relayed: RelayedCenter, in center: any TypedNotificationCenter,
        from place: SourcePlace
    ) {
        // Another type may have the same name. The relay doesn't carry that type.
        guard let notification = notification as? Content else { return _ = center.post(notification, from: place) }
        relayed.postCommitted(notification, in: center, from: place)
    }
}

/// A type that is carried by streams.
struct DurableType<Content: RemoteNotification>: RelayedType {
    func observe(for sender: RelaySender) {
        sender.context.center.observe(Content.self) { [weak sender] note in sender?.sendDurable(note) }
    }

    func receive(_ message: RelayMessage, on route: ActiveRoute, by handler: MessageHandler) {
        handler.receiveDurable(Content.self, route, message)
    }
}

/// A type that reaches only programs that are connected.
struct TransientType<Content: RemoteNotification>: RelayedType {
    func observe(for sender: RelaySender) {
        sender.context.center.observe(Content.self) { [weak sender] note in sender?.sendTransient(note) }
    }

    func receive(_ message: RelayMessage, on route: ActiveRoute, by handler: MessageHandler) {
        handler.receiveTransient(Content.self, route, message)
    }
}
