/// The messages that were published durably and not stored yet, in order: a state machine.
///
/// Up to a window of them is in flight. A message leaves when its stream confirms it or rejects it permanently. On each
/// new link, and when no answer arrives for a while, all messages are sent again, in order. The stream recognises the
/// ones that it already has by their identities. Before that, the first message is sent alone until it is answered:
/// while a stream is recovering, the first messages of many would be lost and later ones stored, out of order.
///
/// A stream that accepts no messages, because it is full or unavailable, is paused, and its messages wait. Messages of
/// other streams continue.
struct SendBuffer: ActingMachine {
    typealias Settle = @Sendable (Result<UInt64, RelayFault>) -> Void

    enum Action: Sendable {
        case send(any Link, RelayMessage, number: UInt64)
        case settle(Settle, Result<UInt64, RelayFault>)
        case resume(CheckedContinuation<Void, Never>)
        /// No server has answered for the stream of a message within the patience.
        case missStream(any Link, RelayMessage, stream: String, number: UInt64)
        /// A stream accepts no further messages until it has room, or the server doesn't permit a subject.
        case report(RelayFault)
    }

    enum Phase: Equatable {
        /// There is no link.
        case unlinked
        /// Only the first message is in flight.
        case probing
        case flowing
    }

    struct Item: Sendable {
        let number: UInt64
        var message: RelayMessage
        let stream: String
        let waitsWhenFull: Bool
        let isDroppable: Bool
        /// Whether a task waits for the message and can publish it again.
        let isAwaited: Bool
        var isSent = false
        /// `nil` once the message has been stored or rejected.
        var settle: Settle?

        /// The bytes that count towards the limit.
        var bytes: Int { message.subject.utf8.count + message.size }
    }

    /// The maximum number of waiting messages, and of their bytes.
    struct Limits: Sendable {
        var count: Int
        var bytes = Int.max
    }

    var actions: [Action] = []

    private let limits: Limits
    private let dropsOldest: Bool
    let window: Int
    let patience: Duration
    /// The time for which messages that the server doesn't permit are retried.
    private let permissionTimeout: Duration

    var phase = Phase.unlinked
    var link: (any Link)?
    /// The messages in the order of their numbers.
    var items: [Item] = []
    /// The index in `items` of the first message that isn't settled.
    var head = 0
    private var nextNumber: UInt64 = 0
    /// The index in `items` from which the next message to send is searched. All messages before it are in flight,
    /// settled, or of a paused stream.
    var next = 0
    /// The number of messages in flight.
    var sent = 0
    /// The number of messages that aren't settled, and their bytes.
    var count = 0
    var bytes = 0
    var pauses = StreamPauses()
    /// The paused subjects, which the server doesn't permit.
    var denials = StreamPauses()
    /// The time at which a message was last sent or answered.
    var lastSign = Duration.zero
    /// The message that has been in flight for the longest time, and the time since which it has been the oldest one.
    var oldest: (number: UInt64, since: Duration)?
    var waitingForRoom: [CheckedContinuation<Void, Never>] = []
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []

    /// The reason why no message is accepted any longer.
    private var closed: RelayFault?

    /// The number of messages that were sent again.
    var resent = 0

    /// - Parameters:
    ///   - limits: The limits of waiting messages.
    ///   - dropsOldest: Whether the oldest message is dropped for a new one when the limits are reached.
    ///   - window: The maximum number of messages in flight.
    ///   - patience: The time without an answer after which everything is sent again.
    ///   - permissionTimeout: The time for which a message that the server doesn't permit is retried, if no task waits
    ///     for it.
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

    /// Whether there is room for a message of the given size. A message larger than the limit is accepted if there is
    /// no other.
    private func hasRoom(for size: Int) -> Bool {
        count == 0 || (count < limits.count && bytes <= limits.bytes - min(size, limits.bytes))
    }

    /// Adds a message.
    ///
    /// - Parameters:
    ///   - stream: The stream for the message, or an empty string if it isn't known.
    ///   - waitsWhenFull: Whether the message waits while the stream is full, instead of being rejected.
    ///   - isDroppable: Whether it may be dropped for a new one.
    ///   - isAwaited: Whether a task waits for it. The task fails at once if the server doesn't permit the message.
    ///   - now: The time, from any start.
    ///   - message: Creates the message, with the number by which it will be answered.
    ///   - settle: Called when it is stored, with its number in the stream, or rejected.
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
            let fault = RelayFault(.permissionDenied, "the server denies the permission").about(item.message)
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

    /// Drops the oldest droppable message for a new one.
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
        // The index if no message was removed in between; otherwise an upper bound.
        var (low, high) = (head, min(items.count - 1, head + Int(number - items[head].number)))
        if items[high].number == number { low = high }
        while low < high {
            let middle = (low + high) / 2
            if items[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return items[low].number == number && items[low].settle != nil ? low : nil
    }

    /// Handles the answer to a message.
    mutating func answer(_ number: UInt64, _ result: Result<UInt64, RelayFault>, at now: Duration) {
        guard let index = index(of: number) else { return }
        lastSign = now
        if pauses.end(items[index].stream) { next = head }
        if !denials.isEmpty, denials.end(items[index].message.subject) { next = head }
        settle(index, result)
        if phase == .probing { phase = .flowing }
        sendSome(at: now)
    }

    /// Handles the answer that a stream can't accept a message now. The message then waits until the stream can.
    ///
    /// - Parameters:
    ///   - number: The message.
    ///   - reason: The reason.
    ///   - fault: The fault to report if the stream is full, or if the message doesn't wait for it.
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

    /// Records that the server doesn't permit a subject.
    ///
    /// A task that waits for such a message receives the fault. The other messages are retried one at a time, because
    /// the permission may return. After ``permissionTimeout`` without it, the relay gives up on them. Messages of other
    /// subjects continue.
    ///
    /// - Parameters:
    ///   - subject: The subject.
    ///   - fault: The server's fault.
    ///   - now: The time.
    /// - Returns: Whether there are messages with the subject.
    mutating func deny(_ subject: String, _ fault: RelayFault, at now: Duration) -> Bool {
        // Each message in flight gets this answer, and all of them were taken back with the first.
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

    /// Gives up on all messages, and on those that are added later, because the relay ends.
    mutating func close(_ fault: RelayFault) {
        closed = fault
        refuse(fault) { _ in true }
    }

    /// Gives up on messages of a table for a stream, because another program sends them.
    mutating func withdraw(tableOf stream: String) {
        refuse(RelayFault(.stopped, "another program may send it")) { !$0.isDroppable && $0.stream == stream }
        // Tasks that wait with a row of the table have nothing more to wait for. Other tasks wait again.
        actions += waitingForRoom.map { .resume($0) }
        waitingForRoom = []
    }

    private mutating func refuse(_ fault: RelayFault, where isMeant: (Item) -> Bool) {
        // The messages are found by number, because indices change while messages leave.
        let numbers = items[head...].filter { $0.settle != nil && isMeant($0) }.map(\.number)
        for number in numbers { if let index = index(of: number) { settle(index, .failure(fault)) } }
    }

    /// Sends everything again if no message was answered for a while, and retries paused streams.
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
            refuse(RelayFault(.permissionDenied, "the server has denied the permission for \(permissionTimeout)")) {
                $0.message.subject == subject
            }
        }
        for subject in denials.takeDue(at: now) { tryDenied(subject, at: now) }
    }

    /// Resumes a task when there is room for a message of the given size.
    mutating func waitForRoom(_ size: Int = 0, _ continuation: CheckedContinuation<Void, Never>) {
        if hasRoom(for: size) { actions.append(.resume(continuation)) } else { waitingForRoom.append(continuation) }
    }

    /// Resumes a task when all messages are stored or rejected.
    mutating func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) {
        if count == 0 { actions.append(.resume(continuation)) } else { waitingForEnd.append(continuation) }
    }
}
