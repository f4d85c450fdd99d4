/// The subjects to which a program needs access at a NATS server. Its description has the format of `nats-server.conf`.
public struct RelayPermissions: Hashable, Sendable, CustomStringConvertible {
    /// The subjects to which the program publishes.
    public private(set) var publish: [String] = []

    /// The subjects to which the program subscribes.
    public private(set) var subscribe: [String] = []

    /// Whether the program responds to requests of other programs, which choose the subjects of the responses.
    public let responds: Bool

    fileprivate init(_ routes: [ActiveRoute], _ options: RelayOptions, redriving: Bool) {
        responds = options.version != nil
        if responds { subscribe.append(Discovery.subject) }
        if let subject = Namesakes.subject(options) {
            publish.append(subject)
            subscribe.append(subject)
        }
        for route in routes { add(route, options, redriving: redriving && route.stream != nil) }
        subscribe.append("\(options.inboxPrefix).>")
        var seen: Set<String> = []
        publish.removeAll { !seen.insert($0).inserted }
        seen = []
        subscribe.removeAll { !seen.insert($0).inserted }
    }

    private mutating func add(_ route: ActiveRoute, _ options: RelayOptions, redriving: Bool) {
        if redriving || route.route.direction != .incoming { publish.append(route.everything) }
        guard let stream = route.stream else {
            if route.route.direction != .outgoing { subscribe.append(route.pattern) }
            return
        }
        func requests(_ stream: String, _ names: String...) {
            publish += names.map { "$JS.API.STREAM.\($0).\(stream)" }
        }
        requests(stream, "INFO", "CREATE", "UPDATE")
        if redriving {
            requests(stream, "MSG.GET")
            requests("\(stream)_DEAD", "INFO", "MSG.GET", "MSG.DELETE")
        }
        guard let reading = route.reading else { return }
        let (notes, consumer) = (ConsumerNotes.stream(of: stream), "\(stream).\(reading.consumer.name)")
        requests(stream, "MSG.GET")
        requests("\(stream)_DEAD", "INFO", "CREATE", "UPDATE", "MSG.GET")
        requests(notes, "INFO", "CREATE", "UPDATE", "MSG.GET", "PURGE")
        publish += ["INFO", "DURABLE.CREATE", "MSG.NEXT"].map { "$JS.API.CONSUMER.\($0).\(consumer)" }
        publish += ["$JS.ACK.\(consumer).>", reading.deadLetterSubject, "\(options.subjectPrefix)-note.\(consumer).>"]
    }

    /// The permissions of a user in the format of `nats-server.conf`.
    public var description: String {
        func list(_ name: String, _ subjects: [String]) -> String {
            "  \(name) {\n    allow: [\n\(subjects.map { "      \(JSONText.string($0))\n" }.joined())    ]\n  }\n"
        }
        let responses = responds ? "  allow_responses: true\n" : ""
        return "permissions {\n\(list("publish", publish))\(list("subscribe", subscribe))\(responses)}"
    }
}

extension RelayOptions {
    /// Returns the permissions that a program with these options needs at a NATS server, without connecting to one.
    ///
    /// ```swift
    /// print(try options.permissions(for: routes))
    /// ```
    ///
    /// - Parameters:
    ///   - routes: The routes of the relay. Add an outgoing route for each type that the program only passes to
    ///     ``NotificationRelay/publish(_:id:headers:postingLocally:)``.
    ///   - redriving: Whether the program calls ``NotificationRelay/redrive(_:)``, or lists the dead letters of streams
    ///     that it doesn't read.
    /// - Returns: The permissions.
    /// - Throws: A fault if a name is invalid, as for the relay itself.
    public func permissions(
        for routes: [RelayRoute], redrivingDeadLetters redriving: Bool = false
    ) throws(RelayFault) -> RelayPermissions {
        let context = try RelayContext(NativeNotificationCenter(), valid)
        return RelayPermissions(try ActiveRoute.all(routes, context), context.options, redriving: redriving)
    }
}
