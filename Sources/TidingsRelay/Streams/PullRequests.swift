/// The reader's requests for messages. If a server fails, it loses its requests. While a server has a request, it sends
/// a heartbeat every second. After three seconds of silence, the reader sends a new request.
struct PullRequests: Sendable {
    private let subject: String
    private let inbox: String
    private let limit: Int
    /// Whether other programs fetch, too. Each then has at most one open request, so that they are served in turn.
    let isShared: Bool
    /// The open requests, each with the number of messages still to come. The server serves the first request first.
    private var open: [(number: Int, left: Int)] = []
    private var lastNumber = 0
    private var lastSign = Duration.zero
    /// The number of consecutive requests during which the server was silent while nothing was in progress.
    private var unheard = 0

    init(stream: String, consumer: String, inbox: String, limit: Int, isShared: Bool) {
        subject = "$JS.API.CONSUMER.MSG.NEXT.\(stream).\(consumer)"
        self.inbox = inbox
        self.limit = limit
        self.isShared = isShared
    }

    mutating func forgetAll() { (open, unheard) = ([], 0) }

    mutating func heard(at now: Duration) { (lastSign, unheard) = (now, 0) }

    mutating func arrive() {
        if open.isEmpty { return }
        open[0].left -= 1
        if open[0].left <= 0 { open.removeFirst() }
    }

    mutating func ended(_ number: Int, at now: Duration) {
        heard(at: now)
        open.removeAll { $0.number == number }
    }

    mutating func tick(at now: Duration, isBusy: Bool) -> Bool {
        if !open.isEmpty, lastSign + .seconds(3) < now {
            open = []
            if !isBusy { unheard += 1 }
        }
        defer { if unheard == 3 { unheard = 0 } }
        return unheard == 3
    }

    mutating func next(besides count: Int, at now: Duration) -> RelayMessage? {
        if isShared, !open.isEmpty { return nil }
        let free = limit - count - open.reduce(0) { $0 + $1.left }
        guard free >= max(1, limit / 4) else { return nil }
        lastNumber += 1
        if open.isEmpty { lastSign = now }
        open.append((lastNumber, free))
        let body = #"{"batch":\#(free),"expires":10000000000,"idle_heartbeat":1000000000}"#
        return RelayMessage(subject, reply: "\(inbox).\(lastNumber)", text: body)
    }
}
