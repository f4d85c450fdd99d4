/// Takes messages from a named consumer of a stream, at most as many at a time as may be in progress: a state machine.
///
/// It requests as many messages as it has room for. A request can be lost unnoticed, together with the server that had
/// it. Therefore the server sends a heartbeat every second while it has a request, and after three seconds of silence
/// the reader sends a new one.
///
/// Everything that was fetched is kept alive, including messages that wait behind others. The server receives a sign
/// that they are in progress, so that it doesn't deliver them again, here or to another program.
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
    /// The requests that the server has, with the number of messages left of each. The server serves the first request
    /// first.
    var pulls: [(number: Int, left: Int)] = []
    private var lastPull = 0
    private var lastSign = Duration.zero
    /// The number of consecutive requests without any sign of the server, while nothing was in progress.
    private var unheard = 0
    var presence: Presence
    var fetched: FetchedMessages
    var setbacks: Setbacks
    var progress: EventProgress
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The number of messages that were acknowledged.
    var acknowledgedCount: UInt64 = 0

    /// The number of messages that arrived although they were known already.
    var duplicates = 0

    /// - Parameters:
    ///   - stream: The stream.
    ///   - consumer: The consumer.
    ///   - inbox: The subject to which messages are sent. A number follows it.
    ///   - limit: The maximum number of messages in progress.
    ///   - prefetchLimit: The number of messages that may be fetched in addition, to wait here.
    ///   - memory: The number of completed messages that are remembered, to recognise a second copy.
    ///   - isShared: Whether other programs take from the same consumer. The server serves all requests in turn, so
    ///     each program then has one request at a time.
    ///   - isOpen: Whether observers can be called. Otherwise nothing is requested before ``open(at:)``.
    ///   - patience: The time for which the server waits for a sign of a delivered message.
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

    /// The number of messages that were fetched and not acknowledged.
    var count: Int { fetched.count }

    mutating func connect(_ link: any Link, at now: Duration) {
        self.link = link
        pulls = []
        unheard = 0
        presence.note(at: now)
        pull(at: now)
    }

    /// Records that there is no link. Messages that wait for their turn are kept, unless the server may give them to
    /// another program in the meantime.
    mutating func disconnect() {
        link = nil
        pulls = []
        _ = fetched.removeUnbegun(keepingWaiting: !isShared)
        goOn()
    }

    /// Requests messages and hands them out, because observers can be called now.
    mutating func open(at now: Duration) {
        isOpen = true
        goOn()
        pull(at: now)
    }

    /// Makes a message that had no observer wait again, and requests no more. Messages that other programs could handle
    /// are given back.
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

    /// Requests no more messages, and gives back those that haven't begun.
    mutating func stop(at now: Duration) {
        takesMore = false
        for delivery in fetched.removeUnbegun(keepingWaiting: false) { acknowledge(delivery, .again(after: .zero)) }
        goOn()
    }

    /// Stops waiting. Messages in progress are redelivered to this program's successor.
    mutating func abandon() {
        takesMore = false
        resumeAll()
    }

    /// Resumes a task when nothing is in progress.
    mutating func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) {
        if fetched.isEmpty { actions.append(.resume(continuation)) } else { waiting.append(continuation) }
    }

    /// Records that the server still has a request.
    mutating func heard(at now: Duration) {
        lastSign = now
        unheard = 0
    }

    /// Records that the server has ended a request.
    mutating func ended(_ number: Int, at now: Duration) {
        heard(at: now)
        pulls.removeAll { $0.number == number }
        pull(at: now)
    }

    /// Sends a new request if nothing was heard for a while.
    ///
    /// - Returns: Whether nothing was heard of three consecutive requests. In that case the caller should check whether
    ///   the consumer exists.
    mutating func tick(at now: Duration) -> Bool {
        if !pulls.isEmpty, lastSign + .seconds(3) < now {
            pulls = []
            // A busy program may not have processed what has arrived.
            if fetched.isEmpty { unheard += 1 }
        }
        setbacks.tick(at: now)
        pull(at: now)
        defer { if unheard == 3 { unheard = 0 } }
        return unheard == 3
    }

    /// Hands out as many messages as there is room for, and resumes the tasks that wait for the end.
    mutating func goOn() {
        while isOpen, let take = fetched.next() { actions.append(.handOut(take)) }
        if fetched.isEmpty { resumeAll() }
    }

    private mutating func resumeAll() {
        actions += waiting.map { .resume($0) }
        waiting = []
    }

    mutating func acknowledge(_ delivery: StreamDelivery, _ acknowledgement: Acknowledgement) {
        // Without a link, nothing is lost: the server redelivers the message, and it is recognised then.
        if let link {
            actions.append(.publish(link, RelayMessage(delivery.acknowledgement, text: acknowledgement.text)))
        }
    }

    mutating func pull(at now: Duration) {
        guard let link, takesMore, isOpen, !isShared || pulls.isEmpty else { return }
        let free = limit - fetched.count - pulls.reduce(0) { $0 + $1.left }
        // A few requests for many messages each cost less than many requests for a few.
        guard free >= max(1, limit / 4) else { return }
        lastPull += 1
        if pulls.isEmpty { lastSign = now }
        pulls.append((lastPull, free))
        let body = #"{"batch":\#(free),"expires":10000000000,"idle_heartbeat":1000000000}"#
        actions.append(.publish(link, RelayMessage(request, reply: "\(inbox).\(lastPull)", text: body)))
    }
}
