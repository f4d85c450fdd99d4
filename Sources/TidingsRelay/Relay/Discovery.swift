/// Responds to the NATS service discovery requests `$SRV.PING`, `$SRV.INFO` and `$SRV.STATS`. Each received type is an
/// endpoint. Arriving notifications count as requests, and failed or unreadable ones as errors.
struct Discovery: Sendable {
    static let subject = "$SRV.>"

    let context: RelayContext
    let routes: [ActiveRoute]

    func listen(over link: any Link) throws(RelayFault) -> (any AnyObject & Sendable)? {
        guard let version = context.options.version else { return nil }
        return try link.subscribe(Self.subject, group: nil) { [self, weak link] request in
            guard let reply = request.reply, let answer = answer(to: request.subject, version) else { return }
            _ = link?.publish(RelayMessage(reply, text: answer))
        }
    }

    private func answer(to subject: String, _ version: String) -> String? {
        let parts = subject.split(separator: ".").map(String.init)
        let place = [context.options.name, context.instance]
        guard (2...4).contains(parts.count), place.starts(with: parts[2...]) else { return nil }
        let kind = parts[1].lowercased()
        let members: String
        switch kind {
        case "ping": members = ""
        case "info": members = #","description":"","endpoints":[\#(endpoints)]"#
        case "stats":
            let started = Timestamps.text(ofSecond: Int(context.started / 1000))
            members = #","started":"\#(started)","endpoints":[\#(endpoints)]"#
        default: return nil
        }
        return """
            {"type":"io.nats.micro.v1.\(kind)_response","name":"\(place[0])","id":"\(place[1])",\
            "version":\(JSONText.string(version)),"metadata":{}\(members)}
            """
    }

    private var endpoints: String {
        // An `ordered` type has a route for each partition.
        Dictionary(grouping: routes, by: \.route.eventName).sorted { $0.key < $1.key }.map { name, routes in
            let failures = routes.map { $0.counts.failures.withLock { $0 } }
            let received = routes.reduce(0) { $0 + $1.counts.received.load(ordering: .relaxed) }
            return """
                {"name":"\(name.split(separator: ".").joined(separator: "_"))","subject":"\(routes[0].everything)",\
                "queue_group":"\(routes[0].route.group ?? "")","metadata":{},"num_requests":\(received),\
                "num_errors":\(failures.reduce(0) { $0 + $1.count }),\
                "last_error":\(JSONText.string(failures.compactMap(\.last).last ?? "")),\
                "processing_time":0,"average_processing_time":0}
                """
        }.joined(separator: ",")
    }
}

final class RouteCounts: Sendable {
    let received = Atomic<Int>(0)
    let failures = Lock((count: 0, last: String?.none))

    func noteFailure(_ fault: RelayFault) {
        let words = "\(fault)"
        failures.withLock { $0 = ($0.count + 1, words) }
    }
}
