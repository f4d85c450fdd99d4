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
        let consumer: StreamConsumer
        let inbox: String
        let reader: Performer<PullReader>
        let redeliveries: Performer<Redeliveries>
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
        pattern = try subjects.pattern(route.eventName, sender: route.sender, hasSenders: route.hasSenders)
        everything = try subjects.pattern(route.eventName, sender: nil, hasSenders: route.hasSenders)
        form = try EventForm(route.eventType, route.contentType, hasSenders: route.hasSenders, subjects)
        guard case .durable(let stream, let consumer, let beginning) = route.kind else {
            (reading, storedPatterns) = (nil, [])
            return
        }
        try Subjects.checkWord(stream, "the name of a stream")
        storedPatterns = ["\(everything)", "\(options.subjectPrefix)-dead.\(stream).>"].map(SubjectPattern.init)
        if let consumer { try Subjects.checkWord(consumer, "the name of a consumer") }
        guard route.direction != .outgoing else {
            reading = nil
            return
        }
        var name =
            "\(route.group ?? consumer ?? options.name)-\(route.eventName.split(separator: ".").joined(separator: "_"))"
        if route.hasSenders, let sender = route.sender { name += "-\(try Subjects.token(sender))" }
        let inbox = "\(options.inboxPrefix).\(Identities.random()).m"
        reading = Reading(
            stream: stream,
            consumer: StreamConsumer(
                name: name, pattern: pattern, beginsWithStored: beginning == .stored,
                patience: options.acknowledgementTime,
                // Members of a group share the limit of the server, and each keeps its own.
                limit: route.group == nil ? options.inProgressLimit : max(1000, options.inProgressLimit * 32),
                lifetime: options.consumerLifetime),
            inbox: inbox,
            reader: Performer(
                PullReader(
                    stream: stream, consumer: name, inbox: inbox, limit: options.inProgressLimit,
                    memory: options.duplicateMemory, isShared: route.group != nil)
            ) { _, action in
                switch action {
                // Without a link nothing is lost: the server delivers again what was not acknowledged.
                case .publish(let link, let message): _ = link.publish(message)
                case .resume(let continuation): continuation.resume()
                }
            },
            redeliveries: Performer(Redeliveries()) { _, action in
                guard case .take(let take) = action else { return }
                take()
            },
            deadLetterSubject: "\(options.subjectPrefix)-dead.\(stream).\(name)")
    }
}
