/// The requests for messages that the server has from a reader: part of a state machine.
///
/// A request can be lost unnoticed, together with the server that had it. Therefore the server sends a heartbeat every
/// second while it has a request, and after three seconds of silence the reader sends a new one.
struct PullRequests: Sendable {
    private let subject: String
    private let inbox: String
    private let limit: Int
    /// Whether other programs take from the same consumer. The server serves all requests in turn, so each program then
    /// has one request at a time.
    let isShared: Bool
    /// The requests, with the number of messages left of each. The server serves the first request first.
    private var open: [(number: Int, left: Int)] = []
    private var lastNumber = 0
    private var lastSign = Duration.zero
    /// The number of consecutive requests without any sign of the server, while nothing was in progress.
    private var unheard = 0

    init(stream: String, consumer: String, inbox: String, limit: Int, isShared: Bool) {
        subject = "$JS.API.CONSUMER.MSG.NEXT.\(stream).\(consumer)"
        self.inbox = inbox
        self.limit = limit
        self.isShared = isShared
    }

    /// Records that the server has no request, because the link is another one, or there is none.
    mutating func forgetAll() { (open, unheard) = ([], 0) }

    /// Records that the server still has a request.
    mutating func heard(at now: Duration) { (lastSign, unheard) = (now, 0) }

    /// Records that a message has arrived.
    mutating func arrive() {
        if open.isEmpty { return }
        open[0].left -= 1
        if open[0].left <= 0 { open.removeFirst() }
    }

    /// Records that the server has ended a request.
    mutating func ended(_ number: Int, at now: Duration) {
        heard(at: now)
        open.removeAll { $0.number == number }
    }

    /// Forgets the requests if nothing was heard for a while.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - isBusy: Whether the program may not have processed what has arrived.
    /// - Returns: Whether nothing was heard of three consecutive requests.
    mutating func tick(at now: Duration, isBusy: Bool) -> Bool {
        if !open.isEmpty, lastSign + .seconds(3) < now {
            open = []
            if !isBusy { unheard += 1 }
        }
        defer { if unheard == 3 { unheard = 0 } }
        return unheard == 3
    }

    /// Creates a request for as many messages as there is room for.
    ///
    /// - Parameters:
    ///   - count: The number of messages that are here.
    ///   - now: The time.
    /// - Returns: The request, or `nil` if it isn't worthwhile.
    mutating func next(besides count: Int, at now: Duration) -> RelayMessage? {
        if isShared, !open.isEmpty { return nil }
        let free = limit - count - open.reduce(0) { $0 + $1.left }
        // A few requests for many messages each cost less than many requests for a few.
        guard free >= max(1, limit / 4) else { return nil }
        lastNumber += 1
        if open.isEmpty { lastSign = now }
        open.append((lastNumber, free))
        let body = #"{"batch":\#(free),"expires":10000000000,"idle_heartbeat":1000000000}"#
        return RelayMessage(subject, reply: "\(inbox).\(lastNumber)", text: body)
    }
}
