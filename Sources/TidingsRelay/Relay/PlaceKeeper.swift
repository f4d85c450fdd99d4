import Tidings
import TidingsWire

/// The place of a consumer in its stream, as last recorded.
final class NotedPlace: Sendable {
    struct State {
        var sequence: UInt64?
        /// The number of acknowledgements at the last check.
        var acknowledged: UInt64 = 0
        var next = Duration.zero
        var isBusy = false
        /// Whether the server rejected the record. The fault has been reported.
        var isRefused = false
    }

    let state = Lock(State())
}

/// Records the places of consumers in their streams. The server forgets a consumer's place when the consumer is
/// removed, so the relay also records it in a stream of notes.
struct PlaceKeeper: Sendable {
    private let context: RelayContext
    private let connection: RelayConnection

    init(_ context: RelayContext, _ connection: RelayConnection) {
        self.context = context
        self.connection = connection
    }

    /// Whether places are recorded. A consumer that is removed along with its program has none.
    var isKept: Bool { context.options.consumerLifetime == nil }

    /// Records the place of a consumer that has made progress, about once a second.
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

    /// Records the number up to which all programs that share the consumer have acknowledged everything.
    ///
    /// - Parameters:
    ///   - reading: The reading of a route.
    ///   - looks: The maximum number of queries while messages are outstanding. The server answers a query before it
    ///     has processed the acknowledgements that were sent earlier.
    func note(of reading: ActiveRoute.Reading, looks: Int = 1) async {
        for _ in 0..<looks {
            // Without an answer, the place is recorded later, or by the next program.
            let found = try? await connection.service().floor(of: reading.consumer.name, of: reading.stream)
            guard let floor = found else { return }
            await note(floor.sequence, of: reading)
            if floor.outstanding == 0 { return }
        }
    }

    /// Records a place if it differs from the last one.
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
