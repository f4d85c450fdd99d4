final class NotedPlace: Sendable {
    struct State {
        var sequence: UInt64?
        var acknowledged: UInt64 = 0
        var next = Duration.zero
        var isBusy = false
        /// Whether the server rejected the position, and the fault was reported.
        var isRefused = false
    }

    let state = Lock(State())
}

/// Stores the consumers' positions in a separate stream, because the server keeps no data about a removed consumer.
struct PlaceKeeper: Sendable {
    let context: RelayContext
    let connection: RelayConnection

    /// Whether positions are stored. With a `consumerLifetime`, unused consumers are removed on purpose.
    var isKept: Bool { context.options.consumerLifetime == nil }

    func noteIfDue(_ reading: ActiveRoute.Reading) {
        let now = context.clock.now
        let acknowledged = reading.reader.update { $0.fetched.acknowledgedCount }
        let isDue = reading.noted.state.withLock { noted in
            if noted.isBusy || noted.next > now || noted.acknowledged == acknowledged { return false }
            (noted.isBusy, noted.next, noted.acknowledged) = (true, now + .seconds(1), acknowledged)
            return true
        }
        if !isDue { return }
        Task {
            await note(of: reading)
            reading.noted.state.withLock { $0.isBusy = false }
        }
    }

    /// Stores the position of a consumer. The server is queried up to `looks` times, because it may still be processing
    /// acknowledgements.
    func note(of reading: ActiveRoute.Reading, looks: Int = 1) async {
        guard isKept else { return }
        for _ in 0..<looks {
            let found = try? await connection.service().floor(of: reading.consumer.name, of: reading.stream)
            guard let floor = found else { return }
            await note(floor.sequence, of: reading)
            if floor.outstanding == 0 { return }
        }
    }

    func note(_ floor: UInt64, of reading: ActiveRoute.Reading) async {
        let isNew = reading.noted.state.withLock { $0.sequence != floor && !$0.isRefused }
        guard isNew, isKept else { return }
        do throws(RelayFault) {
            let created = try await connection.service().created(reading.stream)
            try await connection.notes(of: reading).setPlace(floor, created: created)
            reading.noted.state.withLock { $0.sequence = floor }
        } catch {
            if error.kind == .connectionLost { return }
            reading.noted.state.withLock { $0.isRefused = true }
            context.report(error)
        }
    }
}
