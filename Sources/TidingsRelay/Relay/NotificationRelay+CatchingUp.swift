import Tidings

extension NotificationRelay {
    /// Returns when the observers here have finished with everything that the streams of the routes had when it was called.
    ///
    /// A program that is about to end can so take along what is there. It also returns when there is no connection, or the time is
    /// over.
    ///
    /// - Parameter limit: How long to wait.
    /// - Returns: Whether it has caught up.
    @discardableResult
    public func catchUp(within limit: Duration = .seconds(10)) async -> Bool {
        let end = clock.now + limit
        do throws(RelayFault) {
            for reading in routes.compactMap(\.reading) {
                guard let last = try await service().lastSequence(of: reading.stream) else { return false }
                while try await !service().hasFinished(reading.consumer.name, of: reading.stream, with: last) {
                    if clock.now >= end { return false }
                    do { try await clock.sleep(for: .milliseconds(20)) } catch { return false }
                }
            }
            return true
        } catch { return false }
    }

    /// What asks the server, over the connection that there is.
    func service() throws(RelayFault) -> StreamService {
        guard let link = state.withLock({ $0.link }) else {
            throw RelayFault(.connectionLost, "there is no connection")
        }
        return StreamService(link: link, questions: questions, clock: clock)
    }
}

extension StreamService {
    /// The number of the last message of a stream; `nil` if there is no such stream.
    fileprivate func lastSequence(of stream: String) async throws(RelayFault) -> Int? {
        try await ask("STREAM.INFO.\(stream)")?.object("state")?.number("last_seq")
    }

    /// Whether a consumer has nothing left of what a stream had up to a message.
    fileprivate func hasFinished(_ consumer: String, of stream: String, with last: Int) async throws(RelayFault) -> Bool
    {
        guard let found = try await ask("CONSUMER.INFO.\(stream).\(consumer)") else { return true }
        if let floor = found.object("ack_floor")?.number("stream_seq"), floor >= last { return true }
        return found.number("num_pending") == 0 && found.number("num_ack_pending") == 0
    }
}
