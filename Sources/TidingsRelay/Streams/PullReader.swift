/// Takes messages from a named consumer of a stream, as many at a time as may be in progress: a state machine.
///
/// It asks for as many as there is room for. A request can die unseen, with the server that had it; so the server says every second
/// that it still has one, and after three silent seconds the reader asks again.
///
/// Everything that was fetched is kept alive, also what waits behind others: the server is told that it is in progress, so that it does
/// not give it to somebody else, or here a second time.
struct PullReader: ActingMachine {
    enum Action: Sendable {
        case publish(any Link, RelayMessage)
        case handOut(@Sendable () -> Void)
        case resume(CheckedContinuation<Void, Never>)
        case close(any Link)
    }

    var actions: [Action] = []

    private let request: String
    private let inbox: String
    private let limit: Int
    let isShared: Bool

    var link: (any Link)?
    var takesMore = true
    /// Whether observers can be called.
    var isOpen: Bool
    /// The requests that the server has, and how much is left of each; it serves the first one first.
    var pulls: [(number: Int, left: Int)] = []
    private var lastPull = 0
    private var lastSign = Duration.zero
    /// Of how many requests in a row nothing was heard, while nothing was in progress.
    private var unheard = 0
    var presence: Presence
    var fetched: FetchedMessages
    var setbacks: Setbacks
    var progress: EventProgress
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// How many messages were acknowledged.
    var acknowledgedCount: UInt64 = 0

    /// How many messages came that were known already.
    var duplicates = 0

    /// - Parameters:
    ///   - stream: The stream.
    ///   - consumer: The consumer.
    ///   - inbox: The subject to which messages are sent; a number follows it.
    ///   - limit: How many messages may be in progress.
    ///   - prefetchLimit: How many more may be fetched, to wait here.
    ///   - memory: How many messages that are done with are remembered, to know a second copy.
    ///   - isShared: Whether other programs take from the same consumer. The server serves all requests in turn, so each program
    ///     then has one at a time.
    ///   - isOpen: Whether observers can be called; otherwise nothing is asked for before ``open(at:)``.
    ///   - patience: How long the server waits for a sign of what it has given out.
    init(
        stream: String, consumer: String, inbox: String, limit: Int, prefetchLimit: Int = 0, memory: Int,
        isShared: Bool = false, isOpen: Bool = true, patience: Duration = .seconds(5)
    ) {
        request = "$JS.API.CONSUMER.MSG.NEXT.\(stream).\(consumer)"
        self.inbox = inbox
        self.limit = limit + prefetchLimit
        self.isShared = isShared
        self.isOpen = isOpen
        presence = Presence(patience: isShared ? patience : nil)
        fetched = FetchedMessages(inProgress: limit)
        setbacks = Setbacks(isShared: isShared)
        progress = EventProgress(memory: memory)
    }

    /// How many messages were fetched, and not acknowledged.
    var count: Int { fetched.count }

    mutating func connect(_ link: any Link, at now: Duration) {
        self.link = link
        pulls = []
        unheard = 0
        presence.note(at: now)
        pull(at: now)
    }

    /// Notes that there is no link. What waits for its turn is kept, unless another program is given it meanwhile.
    mutating func disconnect() {
        link = nil
        pulls = []
        _ = fetched.removeUnbegun(keepingWaiting: !isShared)
        goOn()
    }

    /// Asks for messages, and hands them out, as observers can be called now.
    mutating func open(at now: Duration) {
        isOpen = true
        goOn()
        pull(at: now)
    }

    /// Has a message for which there was no observer wait again, and asks for no more. What others could do is given back.
    mutating func putBack(_ id: String, at now: Duration) {
        isOpen = false
        for sequence in progress.end(id, isDone: false) { fetched.putBack(sequence) }
        if !isShared { return }
        for delivery in fetched.removeUnbegun(keepingWaiting: false) {
            setbacks.addUnused(delivery.sequence, at: now)
            acknowledge(delivery, .again(after: .zero))
        }
        goOn()
    }

    /// Asks for no more, and gives back what has not been begun.
    mutating func stop(at now: Duration) {
        takesMore = false
        for delivery in fetched.removeUnbegun(keepingWaiting: false) { acknowledge(delivery, .again(after: .zero)) }
        goOn()
    }

    /// Waits for nothing any more: what is in progress is delivered again, to this program's successor.
    mutating func abandon() {
        takesMore = false
        resumeAll()
    }

    /// Has a task go on when nothing is in progress.
    mutating func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) {
        if fetched.isEmpty { actions.append(.resume(continuation)) } else { waiting.append(continuation) }
    }

    /// Notes that the server still has a request.
    mutating func heard(at now: Duration) {
        lastSign = now
        unheard = 0
    }

    /// Notes that the server has ended a request.
    mutating func ended(_ number: Int, at now: Duration) {
        heard(at: now)
        pulls.removeAll { $0.number == number }
        pull(at: now)
    }

    /// Asks again if nothing was heard for a while.
    ///
    /// - Returns: Whether nothing was heard of three requests in a row: then somebody should look whether there is the consumer.
    mutating func tick(at now: Duration) -> Bool {
        if !pulls.isEmpty, lastSign + .seconds(3) < now {
            pulls = []
            // A busy program may not have heard what has come.
            if fetched.isEmpty { unheard += 1 }
        }
        setbacks.tick(at: now)
        pull(at: now)
        defer { if unheard == 3 { unheard = 0 } }
        return unheard == 3
    }

    /// Hands out what there is room for, and has tasks go on that wait for the end.
    mutating func goOn() {
        while isOpen, let take = fetched.next() { actions.append(.handOut(take)) }
        if fetched.isEmpty { resumeAll() }
    }

    private mutating func resumeAll() {
        actions += waiting.map { .resume($0) }
        waiting = []
    }

    mutating func acknowledge(_ delivery: StreamDelivery, _ acknowledgement: Acknowledgement) {
        // Without a link nothing is lost: the server delivers it again, and it is known then.
        if let link {
            actions.append(.publish(link, RelayMessage(delivery.acknowledgement, text: acknowledgement.text)))
        }
    }

    mutating func pull(at now: Duration) {
        guard let link, takesMore, isOpen, !isShared || pulls.isEmpty else { return }
        let free = limit - fetched.count - pulls.reduce(0) { $0 + $1.left }
        // Few requests for many messages each.
        guard free >= max(1, limit / 4) else { return }
        lastPull += 1
        if pulls.isEmpty { lastSign = now }
        pulls.append((lastPull, free))
        let body = #"{"batch":\#(free),"expires":10000000000,"idle_heartbeat":1000000000}"#
        actions.append(.publish(link, RelayMessage(request, reply: "\(inbox).\(lastPull)", text: body)))
    }
}
