#if NATS
    import Foundation
    import TidingsNATS

    /// The same notification that the tests have: what crosses is known by its name on the wire.
    struct Tick: RemoteNotification {
        static let wireName = "test.tick"
        let poster: Int
        let number: Int
    }

    let arguments = CommandLine.arguments
    guard arguments.count == 4, arguments[1] == "consume", let last = Int(arguments[3]) else {
        fatalError("usage: RelayProbe consume ADDRESS LAST")
    }
    let center = NativeNotificationCenter()
    var options = RelayOptions(name: "probe")
    options.acknowledgementTime = .seconds(1)
    let relay = try NotificationRelay(
        center, to: NATSServer(arguments[2]), options: options,
        [.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)])
    let token = center.addObserver(for: Received<Tick>.self) { received in
        let line = "\(received.notification.number)\(received.origin.deliveryCount > 1 ? " again" : "")\n"
        // At once, so that what was told counts also when the program is killed.
        FileHandle.standardOutput.write(Data(line.utf8))
        // It is in the middle of its work until it is killed.
        if received.notification.number == last { while true { pause() } }
    }
    await relay.run()
    withExtendedLifetime(token) {}
#endif
