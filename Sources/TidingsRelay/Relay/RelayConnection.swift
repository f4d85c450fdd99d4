import Tidings
import TidingsWire

/// The connection of a relay, as it is now, for its other parts: the link, and what asks the server over it.
final class RelayConnection: Sendable {
    private struct State {
        var link: (any Link)?
        /// What the last server that was connected takes, in bytes; at first what servers take unless they are told otherwise.
        var maximumPayload = 1 << 20
        /// The subjects that no stream takes though one of the routes has them, with their streams.
        var unheard: [String: String] = [:]
    }

    let connector: any LinkConnector
    /// The subject for answers, with the dot before their number.
    let inbox: String
    let questions: Questions
    let isReady = Flag()
    let isOver = Flag()
    private let clock: ElapsedClock
    private let prefix: String
    private let state = Lock(State())

    init(_ connector: any LinkConnector, _ context: RelayContext) {
        self.connector = connector
        inbox = "\(context.options.inboxPrefix).\(Identities.random())."
        questions = Questions(inbox: inbox)
        clock = context.clock
        prefix = context.options.subjectPrefix
    }

    var link: (any Link)? { state.withLock { $0.link } }
    var maximumPayload: Int { state.withLock { $0.maximumPayload } }

    /// Whether there is a connection that everything has been set up over.
    var isConnected: Bool { !isOver.isSet && isReady.isSet && link != nil }

    /// What asks the server, over the connection that there is.
    func service() throws(RelayFault) -> StreamService {
        guard let link else { throw RelayFault(.connectionLost, "there is no connection") }
        return service(over: link)
    }

    func service(over link: any Link) -> StreamService {
        StreamService(link: link, questions: questions, clock: clock)
    }

    /// Where the notes about a consumer are.
    func notes(of reading: ActiveRoute.Reading) throws(RelayFault) -> ConsumerNotes {
        ConsumerNotes(
            service: try service(), prefix: prefix, stream: reading.stream, consumer: reading.consumer.name)
    }

    func begin(_ link: any Link) {
        state.withLock { state in
            state.link = link
            state.maximumPayload = link.maximumPayload
        }
    }

    func end() { state.withLock { $0.link = nil } }

    /// Notes that no stream takes a subject that one of them has. The next link has it listen.
    func miss(_ subject: String, of stream: String) { state.withLock { $0.unheard[subject] = stream } }

    /// Has the streams listen that did not.
    func provideListeners(_ service: StreamService) async throws(RelayFault) {
        for (subject, stream) in state.withLock({ $0.unheard }) {
            try await service.provideListener(to: subject, stream)
            state.withLock { $0.unheard[subject] = nil }
        }
    }

    /// Ends the link, as something is wrong with it. The next one makes again what is missing.
    func close() { link?.close() }
}
