/// Takes messages from a named consumer of a stream, as many at a time as may be in progress: a state machine.
///
/// It asks for as many as there is room for. A request can die unseen, with the server that had it; so the server says every second
/// that it still has one, and after three silent seconds the reader asks again.
struct PullReader: ActingMachine {
    enum Action: Sendable {
        case publish(any Link, RelayMessage)
        case resume(CheckedContinuation<Void, Never>)
    }

    private enum Progress { case running, done }

    var actions: [Action] = []

    private let request: String
    private let inbox: String
    private let limit: Int
    private let memory: Int
    private let isShared: Bool

    private var link: (any Link)?
    private var takesMore = true
    /// The requests that the server has, and how much is left of each; it serves the first one first.
    private var pulls: [(number: Int, left: Int)] = []
    private var lastPull = 0
    private var lastSign = Duration.zero
    /// Of how many requests in a row nothing was heard, while nothing was in progress.
    private var unheard = 0
    /// What observers are working on.
    private var running: [String: StreamDelivery] = [:]
    private var progress: [String: Progress] = [:]
    /// What was done last, the oldest at `oldest` once there are as many as are remembered.
    private var done: [String] = []
    private var oldest = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// How many messages came that were known already.
    private(set) var duplicates = 0

    /// - Parameters:
    ///   - stream: The stream.
    ///   - consumer: The consumer.
    ///   - inbox: The subject to which messages are sent; a number follows it.
    ///   - limit: How many messages may be in progress.
    ///   - memory: How many messages that are done with are remembered, to know a second copy.
    ///   - isShared: Whether other programs take from the same consumer. The server serves all requests in turn, so each program
    ///     then has one at a time.
    init(stream: String, consumer: String, inbox: String, limit: Int, memory: Int, isShared: Bool = false) {
        request = "$JS.API.CONSUMER.MSG.NEXT.\(stream).\(consumer)"
        self.inbox = inbox
        self.limit = limit
        self.memory = memory
        self.isShared = isShared
    }

    mutating func connect(_ link: any Link, at now: Duration) {
        self.link = link
        pulls = []
        unheard = 0
        pull(at: now)
    }

    mutating func disconnect() {
        link = nil
        pulls = []
    }

    /// Asks for no more.
    mutating func stop() { takesMore = false }

    /// Waits for nothing any more: what is in progress is delivered again, to this program's successor.
    mutating func abandon() {
        takesMore = false
        actions += waiting.map { .resume($0) }
        waiting = []
    }

    /// Has a task go on when nothing is in progress.
    mutating func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) {
        if running.isEmpty { actions.append(.resume(continuation)) } else { waiting.append(continuation) }
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
            // An observer in the post holds up the thread on which the relay hears.
            if running.isEmpty { unheard += 1 }
        }
        pull(at: now)
        defer { if unheard == 3 { unheard = 0 } }
        return unheard == 3
    }

    /// Notes a message.
    ///
    /// - Parameters:
    ///   - id: Its identity.
    ///   - delivery: Its delivery.
    ///   - now: The time.
    /// - Returns: Whether it is new; one that is known is acknowledged if it is done with, or will be.
    mutating func begin(_ id: String, _ delivery: StreamDelivery, at now: Duration) -> Bool {
        take(at: now)
        if let progress = progress[id] {
            duplicates += 1
            switch progress {
            case .done: acknowledge(delivery, .done)
            // The newer delivery is the one that counts for the server.
            case .running: running[id] = delivery
            }
            pull(at: now)
            return false
        }
        progress[id] = .running
        running[id] = delivery
        return true
    }

    /// Tells the server what became of a message.
    mutating func end(_ id: String, _ acknowledgement: Acknowledgement, at now: Duration) {
        guard let delivery = running.removeValue(forKey: id) else { return }
        acknowledge(delivery, acknowledgement)
        if case .again = acknowledgement { progress[id] = nil } else { remember(id) }
        if running.isEmpty {
            actions += waiting.map { .resume($0) }
            waiting = []
        }
        pull(at: now)
    }

    /// Tells the server that what is in progress still is.
    mutating func keepAlive() {
        for delivery in running.values { acknowledge(delivery, .inProgress) }
    }

    private mutating func take(at now: Duration) {
        heard(at: now)
        guard !pulls.isEmpty else { return }
        pulls[0].left -= 1
        if pulls[0].left <= 0 { pulls.removeFirst() }
    }

    private mutating func remember(_ id: String) {
        if memory == 0 {
            progress[id] = nil
            return
        }
        progress[id] = .done
        if done.count < memory {
            done.append(id)
        } else {
            progress[done[oldest]] = nil
            done[oldest] = id
            oldest = (oldest + 1) % memory
        }
    }

    private mutating func acknowledge(_ delivery: StreamDelivery, _ acknowledgement: Acknowledgement) {
        // Without a link nothing is lost: the server delivers it again, and it is known then.
        if let link {
            actions.append(.publish(link, RelayMessage(delivery.acknowledgement, text: acknowledgement.text)))
        }
    }

    private mutating func pull(at now: Duration) {
        guard let link, takesMore, !isShared || pulls.isEmpty else { return }
        let free = limit - running.count - pulls.reduce(0) { $0 + $1.left }
        // Few requests for many messages each.
        guard free >= max(1, limit / 4) else { return }
        lastPull += 1
        if pulls.isEmpty { lastSign = now }
        pulls.append((lastPull, free))
        let body = #"{"batch":\#(free),"expires":10000000000,"idle_heartbeat":1000000000}"#
        actions.append(.publish(link, RelayMessage(request, reply: "\(inbox).\(lastPull)", text: body)))
    }
}
