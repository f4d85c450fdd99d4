/// The notification type of a route, with which the methods call the generic functions of the relay.
protocol RelayedType: Sendable {
    associatedtype Content: RemoteNotification

    var isDurable: Bool { get }
}

struct CarriedType<Content: RemoteNotification>: RelayedType {
    let isDurable: Bool
}

extension RelayedType {
    func observe(for sender: RelaySender) {
        sender.context.center.observe(Content.self) { [weak sender, isDurable] note in
            if isDurable { sender?.sendDurable(note) } else { sender?.sendTransient(note) }
        }
    }

    func receive(_ message: RelayMessage, on route: ActiveRoute, by handler: MessageHandler) {
        if isDurable {
            handler.receiveDurable(Content.self, route, message)
        } else {
            handler.receiveTransient(Content.self, route, message)
        }
    }

    func isObserved(in center: RelayedCenter) -> Bool { center.isObserved(Content.self) }

    func message(of row: TableRow, by events: EventMaker, atMost limit: Int) throws(RelayFault) -> RelayMessage {
        try events.message(of: row, as: Content.self, atMost: limit)
    }

    func postCommitted(
        _ notification: any RemoteNotification, past relayed: RelayedCenter, in center: any TypedNotificationCenter,
        from place: SourcePlace
    ) {
        // Another type, which the relay doesn't carry, may have the same name.
        guard let notification = notification as? Content else { return _ = center.post(notification, from: place) }
        relayed.postCommitted(notification, in: center, from: place)
    }
}
