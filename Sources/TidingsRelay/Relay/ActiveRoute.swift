import Dispatch

/// Calls of observers, which run on the route's queue. If they ran on the thread that reads from the connection, a slow
/// observer would delay the messages of all other routes.
struct HandOuts: ActingMachine {
    var actions: [@Sendable () -> Void] = []
}

final class ActiveRoute: Sendable {
    struct Reading: Sendable {
        let stream: String
        /// The name of the group, of the route's own consumer, or of the program.
        let group: String
        let consumer: StreamConsumer
        let inbox: String
        let reader: Performer<PullReader>
        let redeliveries: Performer<Redeliveries>
        let handOut: Performer<HandOuts>
        let noted: NotedPlace
        let retryPolicy: RetryPolicy
        /// `nil` stands for every reason.
        let deadLetterReasons: Set<RelayFault.Kind>?
        let deadLetterSubject: String
        let counts: RouteCounts
    }

    let route: RelayRoute
    let counts = RouteCounts()
    let form: EventForm
    let pattern: String
    /// The pattern of all subjects of the type.
    let everything: String
    /// The subjects that the stream and the stream of its dead letters store. Empty for a transient route.
    let storedPatterns: [SubjectPattern]

    var stream: String? {
        guard case .durable(let stream, _, _) = route.kind else { return nil }
        return stream
    }

    var destination: Destination? {
        stream.map { Destination(stream: $0, waitsWhenFull: route.fullStream == .wait) }
    }

    let reading: Reading?

    private init(_ route: RelayRoute, _ context: RelayContext, postsOnly: Bool) throws(RelayFault) {
        let (options, subjects) = (context.options, context.subjects)
        self.route = route
        try Subjects.check(route.eventName, "a wire name")
        if let group = route.group { try Subjects.checkWord(group, "the name of a group") }
        pattern = try subjects.pattern(
            route.eventName, part: route.part ?? "*", sender: route.sender, hasSenders: route.hasSenders)
        everything = try subjects.pattern(route.eventName, sender: nil, hasSenders: route.hasSenders)
        form = try EventForm(
            route.eventType, route.contentType, hasSenders: route.hasSenders, subjects,
            partition: route.partitions?.name, partitions: route.partitions?.count,
            postsOnly: postsOnly && route.isDurable)
        guard case .durable(let stream, let consumer, let beginning) = route.kind else {
            (reading, storedPatterns) = (nil, [])
            return
        }
        try Subjects.checkWord(stream, "the name of a stream")
        storedPatterns = ["\(everything)", "\(DeadLetter.subject(options.subjectPrefix, stream)).>"].map(
            SubjectPattern.init)
        if let consumer { try Subjects.checkWord(consumer, "the name of a consumer") }
        guard route.direction != .outgoing else {
            reading = nil
            return
        }
        let group = route.group ?? consumer ?? options.name
        var name = "\(group)-\(route.eventName.split(separator: ".").joined(separator: "_"))"
        if route.hasSenders, let sender = route.sender { name += "-\(try Subjects.token(sender))" }
        if let part = route.part { name += "-\(part)" }
        if route.group == nil, route.consumerOptions.replicas == .each {
            guard let instance = options.instance else {
                throw RelayFault(
                    .invalidName,
                    "each replica receives \(route.eventName), so set RelayOptions.instance to this replica's name")
            }
            name += "-\(instance)"
        }
        let inbox = "\(options.inboxPrefix).\(Identities.random()).m"
        // The members of a group share a consumer. When a link ends, the server may give another member the messages
        // that this program has fetched but not begun, so the reader discards them. Without a group, it keeps them.
        let isShared = route.group != nil
        let limit = max(1, route.consumerOptions.inProgressLimit ?? (isShared ? 1 : options.inProgressLimit))
        let prefetchLimit = max(0, route.consumerOptions.prefetchLimit ?? (isShared ? 1 : 0))
        let handOut = Performer(HandOuts(), on: DispatchQueue(label: "tidings.relay \(name)")) { _, take in take() }
        reading = Reading(
            stream: stream, group: group,
            consumer: StreamConsumer(
                name: name, pattern: pattern, beginning: beginning.configuration, patience: options.acknowledgementTime,
                // The server's limit covers all programs that share the consumer, and each program also applies its own
                // limit. All programs together have at most one message of a partition in progress.
                limit: route.part != nil
                    ? 1 : isShared ? max(1000, (limit + prefetchLimit) * 32) : limit + prefetchLimit,
                lifetime: options.consumerLifetime), inbox: inbox,
            reader: Performer(
                PullReader(
                    stream: stream, consumer: name, inbox: inbox, limit: limit, prefetchLimit: prefetchLimit,
                    memory: options.duplicateMemory, isShared: isShared,
                    isOpen: route.consumerOptions.consumesUnobserved, patience: options.acknowledgementTime)
            ) { _, action in
                switch action {
                // A failure is ignored, because the server redelivers unacknowledged messages.
                case .publish(let link, let message): _ = link.publish(message)
                case .handOut(let take): handOut.update { $0.actions.append(take) }
                case .resume(let continuation): continuation.resume()
                case .close(let link): link.close()
                }
            },
            redeliveries: Performer(Redeliveries()) { _, take in take() }, handOut: handOut, noted: NotedPlace(),
            retryPolicy: route.consumerOptions.retryPolicy ?? options.retryPolicy,
            deadLetterReasons: route.consumerOptions.deadLetterReasons,
            deadLetterSubject: "\(DeadLetter.subject(options.subjectPrefix, stream)).\(name)", counts: counts)
    }

    static func all(_ routes: [RelayRoute], _ context: RelayContext) throws(RelayFault) -> [ActiveRoute] {
        let read = Set(routes.filter { $0.direction != .outgoing }.map(\.typeID))
        var active: [ActiveRoute] = []
        for route in routes {
            for part in try route.parts() {
                active.append(try ActiveRoute(part, context, postsOnly: !read.contains(part.typeID)))
            }
        }
        try checkThatTheyDiffer(active)
        return active
    }

    private static func checkThatTheyDiffer(_ routes: [ActiveRoute]) throws(RelayFault) {
        var outgoing: Set<ObjectIdentifier> = []
        var consumers: Set<String> = []
        for route in routes {
            if route.route.direction != .incoming, !outgoing.insert(route.route.typeID).inserted {
                throw RelayFault(.invalidName, "two outgoing routes have the type \(route.route.eventName)")
            }
            if let said = route.route.retention, let stream = route.stream,
                routes.contains(where: { $0.stream == stream && ![nil, said].contains($0.route.retention) })
            {
                throw RelayFault(.invalidConfiguration, "two routes set different retentions of the stream \(stream)")
            }
            if let reading = route.reading, !consumers.insert("\(reading.stream) \(reading.consumer.name)").inserted {
                throw RelayFault(
                    .invalidName, "two routes read \(reading.stream) as the consumer \(reading.consumer.name)")
            }
        }
    }
}
