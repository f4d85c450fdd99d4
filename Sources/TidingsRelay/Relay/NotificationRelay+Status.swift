#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension NotificationRelay {
    /// Asks the server how far behind the routes are: three questions for each. For a figure that is looked at every few seconds, not for each
    /// notification.
    ///
    /// - Returns: How much waits, here and there.
    /// - Throws: A fault if there is no connection, or the server does not answer.
    public func status() async throws(RelayFault) -> RelayStatus {
        guard let link = state.withLock({ $0.link }) else {
            throw RelayFault(.connectionLost, "there is no connection")
        }
        let service = StreamService(link: link, questions: questions, clock: clock)
        // An `ordered` route may have hundreds of partitions.
        let found = try await atOnce(routes.filter { $0.reading != nil }) { route throws(RelayFault) in
            try await service.status(of: route.reading, eventName: route.route.eventName)
        }
        .compactMap { $0 }
        let (count, bytes) = outbox.update { ($0.count, $0.bytes) }
        return RelayStatus(outboxCount: count, outboxBytes: bytes, routes: found, tables: sending?.status ?? [])
    }
}

extension StreamService {
    fileprivate func status(
        of reading: ActiveRoute.Reading?, eventName: String
    ) async throws(RelayFault) -> RelayStatus.Route? {
        guard let reading else { return nil }
        let (stream, consumer) = (reading.stream, reading.consumer)
        let info = try await ask("CONSUMER.INFO.\(stream).\(consumer.name)")
        let filter = #"{"subjects_filter":\#(JSONText.string(reading.deadLetterSubject))}"#
        let dead = try await ask("STREAM.INFO.\(stream)_DEAD", filter)?.object("state")?.object("subjects")
        let (waiting, inProgress) = (info?.number("num_pending") ?? 0, info?.number("num_ack_pending") ?? 0)
        var age: Duration?
        if waiting + inProgress > 0 {
            let next = (info?.object("ack_floor")?.number("stream_seq") ?? 0) + 1
            let request = #"{"seq":\#(next),"next_by_subj":\#(JSONText.string(consumer.pattern))}"#
            let oldest = try await ask("STREAM.MSG.GET.\(stream)", request)?.object("message")?.string("time")
            age = oldest.flatMap(Self.age)
        }
        return RelayStatus.Route(
            eventName: eventName, stream: stream, group: reading.group, consumer: consumer.name, waiting: waiting,
            inProgress: inProgress,
            redelivered: info?.number("num_redelivered") ?? 0, buried: dead?.number(reading.deadLetterSubject) ?? 0,
            oldestAge: age)
    }

    /// For how long something has been there, by the time at which it was stored, which servers write in UTC.
    private static func age(_ time: String) -> Duration? {
        // Without the parts of a second, of which there may be nine digits.
        guard let date = try? Date.ISO8601FormatStyle().parse(String(time.prefix(19)) + "Z") else { return nil }
        return .seconds(max(0, Int(Date().timeIntervalSince(date))))
    }
}
