import Tidings

/// The place of a consumer in its stream, as it was noted last.
final class NotedPlace: Sendable {
    struct State {
        var sequence: UInt64?
        /// How many acknowledgements there were when it was looked at last.
        var acknowledged: UInt64 = 0
        var next = Duration.zero
        var isBusy = false
        /// The server does not take notes, which was told.
        var isRefused = false
    }

    let state = Lock(State())
}

// Where a consumer is in its stream is known to the server, as long as nobody removes the consumer. So it is noted elsewhere, too.

extension NotificationRelay {
    /// Whether places are noted. A consumer that is to go away with its program has none.
    var keepsPlaces: Bool { options.consumerLifetime == nil }

    /// Notes the places of the consumers that have gone on, about every second.
    func notePlaces() {
        for reading in routes.compactMap(\.reading) {
            let acknowledged = reading.reader.update { $0.acknowledgedCount }
            let isDue = reading.noted.state.withLock { noted in
                if noted.isBusy || noted.next > clock.now || noted.acknowledged == acknowledged { return false }
                noted.isBusy = true
                noted.next = clock.now + .seconds(1)
                noted.acknowledged = acknowledged
                return true
            }
            if !isDue { continue }
            Task {
                await notePlace(of: reading)
                reading.noted.state.withLock { $0.isBusy = false }
            }
        }
    }

    /// Notes up to where everything is acknowledged, by all programs that share the consumer.
    ///
    /// - Parameters:
    ///   - reading: What is read.
    ///   - looks: How often the server is asked, at most, while it has something outstanding: it answers before it has dealt with the
    ///     acknowledgements that were sent before.
    func notePlace(of reading: ActiveRoute.Reading, looks: Int = 1) async {
        for _ in 0..<looks {
            // Without an answer it is noted later, or by the next program.
            guard let floor = try? await service().floor(of: reading.consumer.name, of: reading.stream) else { return }
            await notePlace(floor.sequence, of: reading)
            if floor.outstanding == 0 { return }
        }
    }

    /// Notes a place, if it is another one.
    func notePlace(_ floor: UInt64, of reading: ActiveRoute.Reading) async {
        let isNew = reading.noted.state.withLock { $0.sequence != floor && !$0.isRefused }
        guard isNew, keepsPlaces else { return }
        do throws(RelayFault) {
            let created = try await service().created(reading.stream)
            try await notes(of: reading).setPlace(floor, created: created)
            reading.noted.state.withLock { $0.sequence = floor }
        } catch {
            if error.kind == .connectionLost { return }
            reading.noted.state.withLock { $0.isRefused = true }
            report(error)
        }
    }
}
