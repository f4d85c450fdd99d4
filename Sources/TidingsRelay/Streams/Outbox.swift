/// What is published durably and not yet stored, in order: a state machine.
///
/// Up to a window of it is on the way. A message leaves when the stream says that it has it, or refuses it. On each new link, and
/// when no answer comes for a while, all of it is sent again, in order: by their identities, the stream knows the ones that it
/// has. Before that, the first message is sent alone, until it is answered: while a stream is about to come back, the first
/// messages of many would be lost and later ones stored, out of order.
struct Outbox: ActingMachine {
    typealias Settle = @Sendable (Result<UInt64, RelayFault>) -> Void

    enum Action: Sendable {
        case send(any Link, RelayMessage, number: UInt64)
        case settle(Settle, Result<UInt64, RelayFault>)
        case resume(CheckedContinuation<Void, Never>)
        /// Nobody has had the stream of the first message for as long as the patience lasts.
        case missStream(any Link, RelayMessage, number: UInt64)
    }

    private enum Phase: Equatable {
        /// There is no link.
        case unlinked
        /// The first message is on its way alone.
        case probing
        case flowing
        /// Nobody has the stream at the moment.
        case stalled(until: Duration)
    }

    private struct Item: Sendable {
        let message: RelayMessage
        /// `nil` once it has been stored or refused.
        var settle: Settle?
    }

    var actions: [Action] = []

    private let limit: Int
    private let dropsOldest: Bool
    private let window: Int
    private let patience: Duration

    private var phase = Phase.unlinked
    private var link: (any Link)?
    private var items: [Item] = []
    /// Where in `items` the first message is that is not settled, and its number.
    private var head = 0
    private var firstNumber: UInt64 = 0
    /// How many of the messages, from `head` on, are on the way.
    private var sent = 0
    /// When something was sent or answered last.
    private var lastSign = Duration.zero
    /// Since when nobody has had the stream; `nil` if somebody has, or nothing is known.
    private var stalledSince: Duration?
    private var waitingForRoom: [CheckedContinuation<Void, Never>] = []
    private var waitingForEnd: [CheckedContinuation<Void, Never>] = []

    /// Why no message is taken any more.
    private var closed: RelayFault?

    /// How many messages were sent again.
    private(set) var resent = 0

    /// - Parameters:
    ///   - limit: How many messages may wait.
    ///   - dropsOldest: Whether the oldest makes room for a new one when as many wait.
    ///   - window: How many may be on the way.
    ///   - patience: After how long without an answer everything is sent again.
    init(limit: Int, dropsOldest: Bool = false, window: Int, patience: Duration) {
        self.limit = limit
        self.dropsOldest = dropsOldest
        self.window = window
        self.patience = patience
    }

    /// How many messages are not stored yet.
    var count: Int { items.count - head }

    /// Adds a message.
    ///
    /// - Parameters:
    ///   - now: The time, from any beginning.
    ///   - message: Makes the message, with the number by which it will be answered.
    ///   - settle: Called when it is stored, with its number in the stream, or refused.
    /// - Returns: Whether there was room.
    mutating func append(at now: Duration, _ message: (UInt64) -> RelayMessage, settle: @escaping Settle) -> Bool {
        if let closed {
            actions.append(.settle(settle, .failure(closed)))
            return true
        }
        if count >= limit {
            if !dropsOldest { return false }
            dropFirst()
        }
        items.append(Item(message: message(firstNumber + UInt64(count)), settle: settle))
        sendSome(at: now)
        return true
    }

    /// Gives up the oldest message, for which a new one has come.
    private mutating func dropFirst() {
        let oldest = items[head].message
        let fault = RelayFault(
            .outboxFull, subject: oldest.subject, id: oldest.header("Nats-Msg-Id"),
            "\(limit) notifications waited to be stored, of which this was the oldest")
        settle(head, .failure(fault))
    }

    /// Sends everything, in order, over a new link.
    mutating func connect(_ link: any Link, at now: Duration) {
        self.link = link
        stalledSince = nil
        probe(at: now)
    }

    mutating func disconnect() {
        link = nil
        phase = .unlinked
    }

    /// Takes the answer to a message.
    mutating func answer(_ number: UInt64, _ result: Result<UInt64, RelayFault>, at now: Duration) {
        guard number >= firstNumber, number - firstNumber < UInt64(count) else { return }
        lastSign = now
        stalledSince = nil
        settle(head + Int(number - firstNumber), result)
        if phase == .probing { phase = .flowing }
        sendSome(at: now)
    }

    /// Takes the answer that nobody has the stream: it has not been loaded yet, or chooses a new leader.
    mutating func stall(at now: Duration) {
        guard phase == .probing || phase == .flowing else { return }
        phase = .stalled(until: now + .milliseconds(250))
        let since = stalledSince ?? now
        stalledSince = since
        guard now - since >= patience, count > 0, let link else { return }
        stalledSince = now
        actions.append(.missStream(link, items[head].message, number: firstNumber))
    }

    /// Gives up the messages that the server does not allow.
    ///
    /// - Parameters:
    ///   - subject: Their subject.
    ///   - fault: Why.
    ///   - now: The time.
    mutating func refuse(_ subject: String, _ fault: RelayFault, at now: Duration) {
        refuse(fault) { $0.subject == subject }
        sendSome(at: now)
    }

    /// Gives up all messages, and those that are added later, as the relay ends.
    mutating func close(_ fault: RelayFault) {
        closed = fault
        refuse(fault) { _ in true }
    }

    private mutating func refuse(_ fault: RelayFault, where isMeant: (RelayMessage) -> Bool) {
        // By number, as places change while messages leave.
        let numbers = (head..<items.count).filter { isMeant(items[$0].message) }.map { firstNumber + UInt64($0 - head) }
        for number in numbers where number >= firstNumber { settle(head + Int(number - firstNumber), .failure(fault)) }
    }

    /// Sends everything again if nothing was answered for a while.
    mutating func tick(at now: Duration) {
        switch phase {
        case .stalled(let until): if until <= now { probe(at: now) }
        case .probing, .flowing: if sent > 0, lastSign + patience < now { probe(at: now) }
        case .unlinked: break
        }
    }

    /// Has a task go on when there is room.
    mutating func waitForRoom(_ continuation: CheckedContinuation<Void, Never>) {
        if count < limit { actions.append(.resume(continuation)) } else { waitingForRoom.append(continuation) }
    }

    /// Has a task go on when everything is stored or refused.
    mutating func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) {
        if count == 0 { actions.append(.resume(continuation)) } else { waitingForEnd.append(continuation) }
    }

    private mutating func probe(at now: Duration) {
        resent += sent
        sent = 0
        phase = .flowing
        if count > 0 { phase = .probing }
        sendSome(at: now)
    }

    private mutating func sendSome(at now: Duration) {
        guard let link, phase == .flowing || phase == .probing else { return }
        let most = phase == .probing ? 1 : window
        while sent < min(count, most) {
            let item = items[head + sent]
            if item.settle != nil { actions.append(.send(link, item.message, number: firstNumber + UInt64(sent))) }
            sent += 1
            lastSign = now
        }
    }

    private mutating func settle(_ index: Int, _ result: Result<UInt64, RelayFault>) {
        guard let settle = items[index].settle.take() else { return }
        actions.append(.settle(settle, result))
        while head < items.count, items[head].settle == nil {
            head += 1
            firstNumber += 1
            sent = max(0, sent - 1)
        }
        // Moved seldom enough that each message is moved once on average.
        if head > 1024, head * 2 > items.count {
            items.removeFirst(head)
            head = 0
        }
        if count < limit {
            actions += waitingForRoom.map { .resume($0) }
            waitingForRoom = []
        }
        if count == 0 {
            actions += waitingForEnd.map { .resume($0) }
            waitingForEnd = []
        }
    }
}
