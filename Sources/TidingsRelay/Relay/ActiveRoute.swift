import Tidings

/// The relay's own observation of a type that it sends.
struct ObservedRoute: Sendable {
    let token: NotificationToken
}

/// A route of a relay, with its names checked, and with what it reads from its stream.
final class ActiveRoute: Sendable {
    /// What a durable route that goes in reads.
    struct Reading: Sendable {
        let stream: String
        /// Who takes what is read: the name of the group, of the consumer that the route names, or of the program.
        let group: String
        let consumer: StreamConsumer
        let inbox: String
        let reader: Performer<PullReader>
        let redeliveries: Performer<Redeliveries>
        let handOut: HandOutQueue
        /// The place in the stream, as it was noted last.
        let noted: NotedPlace
        let retryDelays: [Duration]
        /// The reasons for which something goes to the dead letters; `nil` for every reason.
        let buries: Set<RelayFault.Kind>?
        let deadLetterSubject: String
    }

    let route: RelayRoute

    /// What is the same for all notifications of the type.
    let form: EventForm

    /// The subjects that come in.
    let pattern: String

    /// The subjects of all notifications of the type, which a stream stores.
    let everything: String

    /// What the stream of the route stores, and that of its dead letters; nothing if it has no stream.
    let storedPatterns: [SubjectPattern]

    /// `nil` if it has none.
    var stream: String? {
        guard case .durable(let stream, _, _) = route.kind else { return nil }
        return stream
    }

    /// `nil` if the route reads no stream.
    let reading: Reading?

    init(_ route: RelayRoute, _ options: RelayOptions, _ subjects: Subjects) throws(RelayFault) {
        self.route = route
        try Subjects.check(route.eventName, "a wire name")
        if let group = route.group { try Subjects.checkWord(group, "the name of a group") }
        pattern = try subjects.pattern(
            route.eventName, part: route.part ?? "*", sender: route.sender, hasSenders: route.hasSenders)
        everything = try subjects.pattern(route.eventName, sender: nil, hasSenders: route.hasSenders)
        form = try EventForm(
            route.eventType, route.contentType, hasSenders: route.hasSenders, subjects,
            partition: route.partitions?.name, partitions: route.partitions?.count)
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
        if route.group == nil, route.taking.replicas == .each {
            guard let instance = options.instance else {
                throw RelayFault(
                    .invalidName,
                    "each replica gets \(route.eventName), so RelayOptions.instance says which one this is")
            }
            name += "-\(instance)"
        }
        let inbox = "\(options.inboxPrefix).\(Identities.random()).m"
        let isShared = route.group != nil
        let limit = max(1, route.taking.inProgress ?? (isShared ? 1 : options.inProgressLimit))
        let ahead = max(0, route.taking.ahead ?? (isShared ? 1 : 0))
        let handOut = HandOutQueue(name)
        reading = Reading(
            stream: stream, group: group,
            consumer: StreamConsumer(
                name: name, pattern: pattern, beginning: beginning.configuration,
                patience: options.acknowledgementTime,
                // Programs that share have the limit of the server together, and each keeps its own.
                // A partition has one in progress, whoever has it.
                limit: route.part != nil ? 1 : isShared ? max(1000, (limit + ahead) * 32) : limit + ahead,
                lifetime: options.consumerLifetime),
            inbox: inbox,
            reader: Performer(
                PullReader(
                    stream: stream, consumer: name, inbox: inbox, limit: limit, ahead: ahead,
                    memory: options.duplicateMemory, isShared: isShared, isOpen: route.taking.takesUnobserved,
                    patience: options.acknowledgementTime)
            ) { _, action in
                switch action {
                // Without a link nothing is lost: the server delivers again what was not acknowledged.
                case .publish(let link, let message): _ = link.publish(message)
                case .handOut(let take): handOut.add(take)
                case .resume(let continuation): continuation.resume()
                case .close(let link): link.close()
                }
            },
            redeliveries: Performer(Redeliveries()) { _, action in
                guard case .take(let take) = action else { return }
                take()
            },
            handOut: handOut,
            noted: NotedPlace(),
            retryDelays: route.taking.retryDelays ?? options.retryDelays,
            buries: route.taking.buries,
            deadLetterSubject: "\(DeadLetter.subject(options.subjectPrefix, stream)).\(name)")
    }
}
