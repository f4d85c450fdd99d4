import Tidings
import TidingsWire

/// The notification type of a route, which only this knows: it calls the parts of a relay with it.
protocol RelayedType: Sendable {
    associatedtype Content: RemoteNotification

    /// Has what is posted sent.
    func observe(for sender: RelaySender)

    /// Takes a message that came by a subscription.
    func receive(_ message: RelayMessage, on route: ActiveRoute, by receiver: RelayReceiver)
}

extension RelayedType {
    /// Whether anybody but the relay observes it.
    func isObserved(in center: RelayedCenter) -> Bool { center.isObserved(Content.self) }

    /// The message of a row of a table.
    func message(of row: TableRow, by events: EventMaker, atMost limit: Int) throws(RelayFault) -> RelayMessage {
        try events.message(of: row, as: Content.self, atMost: limit)
    }

    /// Posts what was committed past the relay.
    func postCommitted(
        _ notification: any RemoteNotification, past relayed: RelayedCenter, in center: any TypedNotificationCenter,
        from place: SourcePlace
    ) {
        // Another type may have the same name: nobody but the program knows that it is not carried.
        guard let notification = notification as? Content else { return _ = center.post(notification, from: place) }
        relayed.postCommitted(notification, in: center, from: place)
    }
}

/// A type that streams carry.
struct DurableType<Content: RemoteNotification>: RelayedType {
    func observe(for sender: RelaySender) {
        sender.context.center.observe(Content.self) { [weak sender] note in sender?.sendDurable(note) }
    }

    func receive(_ message: RelayMessage, on route: ActiveRoute, by receiver: RelayReceiver) {
        receiver.receiveDurable(Content.self, route, message)
    }
}

/// A type that reaches whoever is connected.
struct TransientType<Content: RemoteNotification>: RelayedType {
    func observe(for sender: RelaySender) {
        sender.context.center.observe(Content.self) { [weak sender] note in sender?.sendTransient(note) }
    }

    func receive(_ message: RelayMessage, on route: ActiveRoute, by receiver: RelayReceiver) {
        receiver.receiveTransient(Content.self, route, message)
    }
}
