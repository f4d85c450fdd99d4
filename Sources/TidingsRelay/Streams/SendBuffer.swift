/// What is published durably and not yet stored, in order: a state machine.
///
/// Up to a window of it is on the way. A message leaves when its stream says that it has it, or refuses it for good. On each new link,
/// and when no answer comes for a while, all of it is sent again, in order: by their identities, the stream knows the ones that it
/// has. Before that, the first message is sent alone, until it is answered: while a stream is about to come back, the first
/// messages of many would be lost and later ones stored, out of order.
///
/// A stream that takes nothing now, as it is full or gone, is paused, and its messages wait. Those of other streams go on.
struct SendBuffer: ActingMachine {
    typealias Settle = @Sendable (Result<UInt64, RelayFault>) -> Void

    enum Action: Sendable {
        case send(any Link, RelayMessage, number: UInt64)
        case settle(Settle, Result<UInt64, RelayFault>)
        case resume(CheckedContinuation<Void, Never>)
        /// Nobody has had the stream of a message for as long as the patience lasts.
        case missStream(any Link, RelayMessage, stream: String, number: UInt64)
        /// A stream takes nothing from now on, until it has room; or the server does not allow a subject.
        case report(RelayFault)
    }

    enum Phase: Equatable {
        /// There is no link.
        case unlinked
        /// The first message is on its way alone.
        case probing
        case flowing
    }

    struct Item: Sendable {
        let number: UInt64
        var message: RelayMessage
        let stream: String
        let waitsWhenFull: Bool
        let isDroppable: Bool
        /// Whether somebody waits for it, who can do it again.
        let isAwaited: Bool
        var isSent = false
        /// `nil` once it has been stored or refused.
        var settle: Settle?

        /// What it takes of the limit in bytes.
        var bytes: Int { message.subject.utf8.count + message.size }
    }

    /// How many messages may wait, and how many bytes of them.
    struct Limits: Sendable {
        var count: Int
        var bytes = Int.max
    }

    var actions: [Action] = []

    private let limits: Limits
    private let dropsOldest: Bool
    let window: Int
    let patience: Duration
    /// For how long what the server does not allow is tried again.
    private let permissionTimeout: Duration

    var phase = Phase.unlinked
    var link: (any Link)?
    /// In the order of their numbers.
    var items: [Item] = []
    /// Where in `items` the first message is that is not settled.
    var head = 0
    private var nextNumber: UInt64 = 0
    /// Where in `items` the next message may be that is to be sent. Those before it are on the way, settled, or of a paused stream.
    var next = 0
    /// How many messages are on the way.
    var sent = 0
    /// How many messages are not settled, and what they take.
    var count = 0
    var bytes = 0
    var pauses = StreamPauses()
    /// The same for subjects that the server does not allow.
    var denials = StreamPauses()
    /// When something was sent or answered last.
    var lastSign = Duration.zero
    /// The message that has been on the way for longest, and since when it is that one.
    var oldest: (number: UInt64, since: Duration)?
    var waitingForRoom: [CheckedContinuation<Void, Never>] = []
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []

    /// Why no message is taken any more.
    private var closed: RelayFault?

    /// How many messages were sent again.
    var resent = 0

    /// - Parameters:
    ///   - limits: How much may wait.
    ///   - dropsOldest: Whether the oldest makes room for a new one when as much waits.
    ///   - window: How many may be on the way.
    ///   - patience: After how long without an answer everything is sent again.
    ///   - permissionTimeout: For how long what the server does not allow is tried again, if nobody waits for it.
    init(
        limits: Limits, dropsOldest: Bool = false, window: Int, patience: Duration,
        permissionTimeout: Duration = .seconds(60)
    ) {
        self.permissionTimeout = permissionTimeout
        self.limits = limits
        self.dropsOldest = dropsOldest
        self.window = window
        self.patience = patience
    }

    /// Whether there is room for a message of so many bytes. One that is larger than the limit is let in alone.
    private func hasRoom(for size: Int) -> Bool {
        count == 0 || (count < limits.count && bytes <= limits.bytes - min(size, limits.bytes))
    }

    /// Adds a message.
    ///
    /// - Parameters:
    ///   - stream: The stream that is to have it; empty if it is not known.
    ///   - waitsWhenFull: Whether it waits while the stream is full, and is not refused.
    ///   - isDroppable: Whether it may make room for a new one, if any may.
    ///   - isAwaited: Whether somebody waits for it, who is told at once if the server does not allow it.
    ///   - now: The time, from any beginning.
    ///   - message: Makes the message, with the number by which it will be answered.
    ///   - settle: Called when it is stored, with its number in the stream, or refused.
    /// - Returns: Whether there was room.
    mutating func append(
        to stream: String = "", waitsWhenFull: Bool = true, isDroppable: Bool = true, isAwaited: Bool = true,
        at now: Duration,
        _ message: (UInt64) -> RelayMessage, settle: @escaping Settle
    ) -> Bool {
        if let closed {
            actions.append(.settle(settle, .failure(closed)))
            return true
        }
        let item = Item(
            number: nextNumber, message: message(nextNumber), stream: stream, waitsWhenFull: waitsWhenFull,
            isDroppable: isDroppable, isAwaited: isAwaited, settle: settle)
        if isAwaited, !denials.isEmpty, denials.isPaused(item.message.subject) {
            let fault = RelayFault(.permissionDenied, "the server does not allow it").about(item.message)
            actions.append(.settle(settle, .failure(fault)))
            return true
        }
        if !hasRoom(for: item.bytes) {
            if !dropsOldest { return false }
            while !hasRoom(for: item.bytes) { if !dropFirst() { return false } }
        }
        nextNumber += 1
        count += 1
        bytes += item.bytes
        items.append(item)
        sendSome(at: now)
        return true
    }

    /// Gives up the oldest message that may be, for which a new one has come.
    ///
    /// - Returns: Whether there was one.
    private mutating func dropFirst() -> Bool {
        guard let first = items[head...].firstIndex(where: { $0.settle != nil && $0.isDroppable }) else { return false }
        let fault = RelayFault(
            .sendBufferFull, "\(count) notifications waited to be stored, of which this was the oldest")
        settle(first, .failure(fault))
        return true
    }

    /// Sends everything, in order, over a new link.
    mutating func connect(_ link: any Link, at now: Duration) {
        self.link = link
        pauses.forgetAll()
        denials.forgetAll()
        probe(at: now)
    }

    mutating func disconnect() {
        link = nil
        phase = .unlinked
    }

    private func index(of number: UInt64) -> Int? {
        guard head < items.count, number >= items[head].number, number < nextNumber else { return nil }
        // Where it is if none was taken out between; otherwise before that.
        var (low, high) = (head, min(items.count - 1, head + Int(number - items[head].number)))
        if items[high].number == number { low = high }
        while low < high {
            let middle = (low + high) / 2
            if items[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return items[low].number == number && items[low].settle != nil ? low : nil
    }

    /// Takes the answer to a message.
    mutating func answer(_ number: UInt64, _ result: Result<UInt64, RelayFault>, at now: Duration) {
        guard let index = index(of: number) else { return }
        lastSign = now
        if pauses.end(items[index].stream) { next = head }
        if !denials.isEmpty, denials.end(items[index].message.subject) { next = head }
        settle(index, result)
        if phase == .probing { phase = .flowing }
        sendSome(at: now)
    }

    /// Takes the answer that a stream cannot take a message now, which then waits until it can.
    ///
    /// - Parameters:
    ///   - number: The message.
    ///   - reason: Why.
    ///   - fault: What is told if the stream is full, or the message does not wait for it.
    ///   - now: The time.
    mutating func postpone(_ number: UInt64, _ reason: StreamPauses.Reason, _ fault: RelayFault, at now: Duration) {
        guard let index = index(of: number) else { return }
        let item = items[index]
        if reason == .full, !item.waitsWhenFull { return answer(number, .failure(fault), at: now) }
        lastSign = now
        if items[index].isSent {
            items[index].isSent = false
            sent -= 1
        }
        if phase == .probing { phase = .flowing }
        if pauses.begin(item.stream, reason, at: now), reason == .full {
            actions.append(.report(fault.about(item.message)))
        }
        if let link, pauses.isMissing(item.stream, patience: patience, at: now) {
            actions.append(.missStream(link, item.message, stream: item.stream, number: number))
        }
        sendSome(at: now)
    }

    /// Notes that the server does not allow a subject.
    ///
    /// Whoever waits for such a message is told. The others are tried again, one at a time, as a right that was withdrawn may come back.
    /// When it has not for as long as ``permissionTimeout``, they are given up. Messages of other subjects go on.
    ///
    /// - Parameters:
    ///   - subject: The subject.
    ///   - fault: What the server says.
    ///   - now: The time.
    /// - Returns: Whether any message was meant.
    mutating func deny(_ subject: String, _ fault: RelayFault, at now: Duration) -> Bool {
        // Each that was on its way is answered so, and they were taken back with the first.
        if denials.isWaiting(subject) { return true }
        let count = count
        refuse(fault) { $0.isAwaited && $0.message.subject == subject }
        takeBack { $0.message.subject == subject }
        let waits = items[head...].contains { $0.settle != nil && $0.message.subject == subject }
        if waits, denials.begin(subject, .full, at: now) { actions.append(.report(fault)) }
        if phase == .probing { phase = .flowing }
        sendSome(at: now)
        return waits || self.count < count
    }

    /// Gives up all messages, and those that are added later, as the relay ends.
    mutating func close(_ fault: RelayFault) {
        closed = fault
        refuse(fault) { _ in true }
    }

    /// Gives up what is in a table, and for a stream, as another program sends it.
    mutating func withdraw(tableOf stream: String) {
        refuse(RelayFault(.stopped, "another program may send it")) { !$0.isDroppable && $0.stream == stream }
        // Who waits with a row of the table does so in vain; others wait again.
        actions += waitingForRoom.map { .resume($0) }
        waitingForRoom = []
    }

    private mutating func refuse(_ fault: RelayFault, where isMeant: (Item) -> Bool) {
        // By number, as places change while messages leave.
        let numbers = items[head...].filter { $0.settle != nil && isMeant($0) }.map(\.number)
        for number in numbers { if let index = index(of: number) { settle(index, .failure(fault)) } }
    }

    /// Sends everything again if nothing was answered for a while, and tries what is paused.
    mutating func tick(at now: Duration) {
        if phase == .unlinked { return }
        if sent > 0, lastSign + patience < now { return probe(at: now) }
        if let stream = silentStream(at: now) {
            _ = pauses.begin(stream, .absent, at: now)
            takeBack { $0.stream == stream }
        }
        if !pauses.isEmpty { for stream in pauses.takeDue(at: now) { trySending(stream, at: now) } }
        if denials.isEmpty { return }
        for subject in denials.takeExpired(after: permissionTimeout, at: now) {
            refuse(RelayFault(.permissionDenied, "not allowed for \(permissionTimeout)")) {
                $0.message.subject == subject
            }
        }
        for subject in denials.takeDue(at: now) { tryDenied(subject, at: now) }
    }

    /// Has a task go on when there is room for a message of so many bytes.
    mutating func waitForRoom(_ size: Int = 0, _ continuation: CheckedContinuation<Void, Never>) {
        if hasRoom(for: size) { actions.append(.resume(continuation)) } else { waitingForRoom.append(continuation) }
    }

    /// Has a task go on when everything is stored or refused.
    mutating func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) {
        if count == 0 { actions.append(.resume(continuation)) } else { waitingForEnd.append(continuation) }
    }
}
