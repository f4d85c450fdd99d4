final class RelayConnection: Sendable {
    private struct State {
        var link: (any Link)?
        /// The maximum payload of the last server, in bytes. The initial value is the default of NATS servers.
        var maximumPayload = 1 << 20
        /// The subjects for which no stream responded, with the streams that should store them: see `provideListener`.
        var unheard: [String: String] = [:]
    }

    let connector: any LinkConnector
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

    var isConnected: Bool { !isOver.isSet && isReady.isSet && link != nil }

    func service() throws(RelayFault) -> StreamService {
        guard let link else { throw RelayFault(.connectionLost, "there is no connection") }
        return service(over: link)
    }

    func service(over link: any Link) -> StreamService {
        StreamService(link: link, questions: questions, clock: clock)
    }

    func notes(of reading: ActiveRoute.Reading) throws(RelayFault) -> ConsumerNotes {
        ConsumerNotes(service: try service(), prefix: prefix, stream: reading.stream, consumer: reading.consumer.name)
    }

    func begin(_ link: any Link) {
        state.withLock { state in
            state.link = link
            state.maximumPayload = link.maximumPayload
        }
    }

    func end() { state.withLock { $0.link = nil } }

    func miss(_ subject: String, of stream: String) { state.withLock { $0.unheard[subject] = stream } }

    func provideListeners(_ service: StreamService) async throws(RelayFault) {
        for (subject, stream) in state.withLock({ $0.unheard }) {
            try await service.provideListener(to: subject, stream)
            state.withLock { $0.unheard[subject] = nil }
        }
    }

    /// Closes the link. Unless the relay has ended, the relay opens another, and creates missing streams and consumers.
    func close() { link?.close() }
}
