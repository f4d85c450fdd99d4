struct StreamConsumer: Sendable {
    let name: String
    let pattern: String
    let beginning: String
    /// The time without an acknowledgement after which a message is redelivered.
    let patience: Duration
    let limit: Int
    /// The time after which the server removes the consumer if no program uses it.
    let lifetime: Duration?

    func config(behind place: UInt64?) -> String {
        let begins = place.map { #""deliver_policy":"by_start_sequence","opt_start_seq":\#($0 + 1)"# } ?? beginning
        let lifetime = lifetime.map { #","inactive_threshold":\#($0.nanoseconds)"# } ?? ""
        return """
            {"durable_name":\(JSONText.string(name)),"ack_policy":"explicit","replay_policy":"instant",\
            \(begins),"ack_wait":\(patience.nanoseconds),\
            "max_ack_pending":\(limit),"max_deliver":-1,"filter_subject":\(JSONText.string(pattern))\(lifetime)}
            """
    }

    func skipped(_ policy: String?, _ stream: String) -> [RelayFault] {
        let isAskedFor = ["all", "last_per_subject"].contains { beginning.contains(#""\#($0)""#) }
        guard policy == "new", isAskedFor else { return [] }
        return [
            RelayFault(
                .settingsDiffer, subject: name,
                "the consumer of \(stream) was created to start with new notifications, not with \(beginning) as requested: it skips what was stored before"
            )
        ]
    }

    /// The settings by the server's names, without the start position, which an existing consumer doesn't use.
    var settings: [(name: String, value: String)] {
        [
            ("ack_wait", "\(patience.nanoseconds)"), ("max_ack_pending", "\(limit)"),
            ("inactive_threshold", "\(lifetime?.nanoseconds ?? 0)"), ("filter_subject", JSONText.string(pattern)),
            ("ack_policy", #""explicit""#), ("max_deliver", "-1"), ("deliver_subject", #""""#),
        ]
    }
}

struct ProvidedConsumer: Sendable {
    var outstanding = 0
    var faults: [RelayFault] = []
    /// The sequence number after which a new consumer starts.
    var floor: UInt64?
}

extension StreamService {
    /// Finds or creates a consumer. `notes` is `nil` if the consumer's position isn't stored. With `beginsAnew`, a removed
    /// consumer starts with the oldest message. With `tellsOfSkipped`, a new consumer that skips messages is reported.
    func provideConsumer(
        _ consumer: StreamConsumer, of stream: String, notes: ConsumerNotes?, beginsAnew: Bool, tellsOfSkipped: Bool
    ) async throws(RelayFault) -> ProvidedConsumer {
        var provided = ProvidedConsumer()
        func find() async throws(RelayFault) -> ProvidedConsumer? {
            guard let found = try await ask("CONSUMER.INFO.\(stream).\(consumer.name)") else { return nil }
            let faults = try await adjust(consumer, of: stream, found)
            return ProvidedConsumer(outstanding: found.number("num_ack_pending") ?? 0, faults: faults)
        }
        if let found = try await find() { return found }
        let skips = tellsOfSkipped ? try await count(consumer.pattern, in: stream) : 0
        var place: UInt64?
        var noted: (sequence: UInt64, created: String)?
        do { noted = try await notes?.place() } catch {
            if error.kind == .connectionLost { throw error }
            provided.faults.append(error)
        }
        if let noted {
            // Another program that starts now may have created the consumer and stored its position.
            if let found = try await find() { return found }
            let isSameStream = try await noted.created == created(stream)
            place = isSameStream && !beginsAnew ? noted.sequence : 0
            let words =
                if place != 0 {
                    "the new one continues after number \(noted.sequence) of the stream, the last acknowledged one"
                } else {
                    "the new one starts with the oldest notification in the stream"
                        + (isSameStream ? "" : ", which was created again")
                }
            provided.faults.append(
                RelayFault(.consumerLost, subject: consumer.name, "the consumer of \(stream) was removed; \(words)"))
        } else if skips > 0 {
            let words = skips == 1 ? "1 notification" : "\(skips) notifications"
            provided.faults.append(
                RelayFault(
                    .skipped, subject: consumer.name,
                    "the new consumer of \(stream) skips \(words); use from: .stored to start with them"))
        }
        let request = #"{"stream_name":\#(JSONText.string(stream)),"config":\#(consumer.config(behind: place))}"#
        let made: JSONMembers?
        do { made = try await ask("CONSUMER.DURABLE.CREATE.\(stream).\(consumer.name)", request) } catch {
            // Another program may have created the consumer since the first search, with its own start position.
            if error.kind == .rejected, let found = try await find() { return found }
            throw error
        }
        provided.floor = made?.object("ack_floor")?.number("stream_seq").map { UInt64(clamping: $0) }
        return provided
    }

    func created(_ stream: String) async throws(RelayFault) -> String {
        try await ask("STREAM.INFO.\(stream)")?.string("created") ?? ""
    }

    /// Returns a consumer's position, or `nil` without such a consumer. All messages up to `sequence` are acknowledged.
    func floor(
        of consumer: String, of stream: String
    ) async throws(RelayFault) -> (sequence: UInt64, outstanding: Int)? {
        guard let found = try await ask("CONSUMER.INFO.\(stream).\(consumer)"),
            let number = found.object("ack_floor")?.number("stream_seq")
        else { return nil }
        return (UInt64(clamping: number), found.number("num_ack_pending") ?? 0)
    }

    private func count(_ pattern: String, in stream: String) async throws(RelayFault) -> Int {
        let answer = try await ask("STREAM.INFO.\(stream)", #"{"subjects_filter":\#(JSONText.string(pattern))}"#)
        guard let counts = answer?.object("state")?.object("subjects") else { return 0 }
        return counts.members.reduce(0) { $0 + (counts.number($1.name) ?? 0) }
    }

    private func adjust(
        _ consumer: StreamConsumer, of stream: String, _ found: JSONMembers
    ) async throws(RelayFault) -> [RelayFault] {
        guard let config = found.object("config") else { return [] }
        // The server omits settings with an empty value.
        var differing: [(name: String, was: String, value: String)] = []
        for (name, value) in consumer.settings {
            let was = config[name].map { String(decoding: $0, as: UTF8.self) } ?? (value.hasPrefix("\"") ? #""""# : "0")
            // The same text can be escaped in several ways, such as `>` as `\u003e`.
            let text = JSONText.string(in: Array(value.utf8), 0..<value.utf8.count)
            let isSame = text == nil ? was == value : config.string(name) ?? "" == text
            if !isSame { differing.append((name, was, value)) }
        }
        var faults = consumer.skipped(config.string("deliver_policy"), stream)
        var current = config
        // Each setting is changed separately, so that a rejected change doesn't affect the others.
        for (name, was, value) in differing {
            let text = current.replacing([(name, value)])
            let request = #"{"stream_name":\#(JSONText.string(stream)),"config":\#(text)}"#
            do throws(RelayFault) {
                _ = try await ask("CONSUMER.DURABLE.CREATE.\(stream).\(consumer.name)", request)
                if let changed = try? JSONMembers(Array(text.utf8)) { current = changed }
            } catch {
                if error.kind == .connectionLost { throw error }
                faults.append(
                    RelayFault(
                        .settingsDiffer, subject: consumer.name,
                        "\(name) of the consumer of \(stream) is \(was), not \(value) as requested: \(error.detail)"))
            }
        }
        return faults
    }
}
