import Tidings

extension InspectorSnapshot.Relay {
    init(_ lag: LagReport, named name: String) {
        self.init(
            name: name, connected: lag.isConnected, outgoing: lag.outgoing, outgoingBytes: lag.outgoingBytes,
            routes: lag.routes.map { route in
                InspectorSnapshot.Route(
                    notification: route.notification.plain, stream: route.stream.plain, group: route.group.plain,
                    waiting: route.waiting, inProgress: route.inProgress, redelivered: route.redelivered,
                    deadLetters: route.deadLetters, oldestAge: route.oldestAge?.inSeconds)
            }, error: lag.error?.plain)
    }
}
