import Tidings
import TidingsWire

/// The last stored position of a consumer in its stream.
final class NotedPlace: Sendable {
    struct State {
        var sequence: UInt64?
        /// The number of acknowledgements at the last check.
        var acknowledged: UInt64 = 0
        var next = Duration.zero
        var isBusy = false
        /// Whether the server rejected the position, which was reported.
        var isRefused = false
    }

    let state = Lock(State())
}

/// Stores the positions of consumers in their streams. The server forgets the position of a consumer that is removed,
/// so the relay also stores it in a stream of notes.
struct PlaceKeeper: Sendable {
    private let context: RelayContext
    private let connection: RelayConnection

    init(_ context: RelayContext, _ connection: RelayConnection) {
        self.context = context
        self.connection = connection
    }

    /// Whether positions are stored. They aren't if consumers are meant to be removed with their programs.
    var isKept: Bool { context.options.consumerLifetime == nil }

    /// Stores the position of a consumer that has made progress, about once a second.
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

    /// Stores the position up to which all programs that share the consumer have acknowledged everything.
    ///
    /// - Parameters:
    ///   - reading: The reading of a route.
    ///   - looks: The maximum number of queries while messages are outstanding. The server responds to a query before
    ///     it has processed acknowledgements that were sent earlier.
    func note(of reading: ActiveRoute.Reading, looks: Int = 1) async {
        for _ in 0..<looks {
            // Without a response, the position is stored later, or by the next program.
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
