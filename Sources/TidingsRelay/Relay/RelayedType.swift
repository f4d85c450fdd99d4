protocol RelayedType: Sendable {
    associatedtype Content: RemoteNotification

    func observe(for sender: RelaySender)

    func receive(_ message: RelayMessage, on route: ActiveRoute, by handler: MessageHandler)
}

extension RelayedType {
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

struct DurableType<Content: RemoteNotification>: RelayedType {
    func observe(for sender: RelaySender) {
        sender.context.center.observe(Content.self) { [weak sender] note in sender?.sendDurable(note) }
    }

    func receive(_ message: RelayMessage, on route: ActiveRoute, by handler: MessageHandler) {
        handler.receiveDurable(Content.self, route, message)
    }
}

struct TransientType<Content: RemoteNotification>: RelayedType {
    func observe(for sender: RelaySender) {
        sender.context.center.observe(Content.self) { [weak sender] note in sender?.sendTransient(note) }
    }

    func receive(_ message: RelayMessage, on route: ActiveRoute, by handler: MessageHandler) {
        handler.receiveTransient(Content.self, route, message)
    }
}
