import Tidings
import TidingsWire

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

/// Notes where consumers are in their streams. The server knows that as long as nobody removes the consumer, so it is noted elsewhere, too.
struct PlaceKeeper: Sendable {
    private let context: RelayContext
    private let connection: RelayConnection

    init(_ context: RelayContext, _ connection: RelayConnection) {
        self.context = context
        self.connection = connection
    }

    /// Whether places are noted. A consumer that is to go away with its program has none.
    var isKept: Bool { context.options.consumerLifetime == nil }

    /// Notes the place of a consumer that has gone on, about every second.
    func noteIfDue(_ reading: ActiveRoute.Reading) {
        let now = context.clock.now
        let acknowledged = reading.reader.update { $0.acknowledgedCount }
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

    /// Notes up to where everything is acknowledged, by all programs that share the consumer.
    ///
    /// - Parameters:
    ///   - reading: What is read.
    ///   - looks: How often the server is asked, at most, while it has something outstanding: it answers before it has dealt with the
    ///     acknowledgements that were sent before.
    func note(of reading: ActiveRoute.Reading, looks: Int = 1) async {
        for _ in 0..<looks {
            // Without an answer it is noted later, or by the next program.
            let found = try? await connection.service().floor(of: reading.consumer.name, of: reading.stream)
            guard let floor = found else { return }
            await note(floor.sequence, of: reading)
            if floor.outstanding == 0 { return }
        }
    }

    /// Notes a place, if it is another one.
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
