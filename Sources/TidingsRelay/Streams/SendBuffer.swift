/// The durable messages that aren't stored yet, in order: a state machine.
///
/// Up to a window of them is in flight. A message leaves when its stream has stored it or rejected it permanently. On a
/// new link, and when no response arrives for a while, all messages are sent again in order, and the stream detects
/// duplicates by their identities. The first message is sent alone until it has a response: while a stream recovers, it
/// would lose the first of many messages and store later ones, out of order.
///
/// A stream that is full or unavailable is paused, and its messages wait. Messages of other streams continue.
struct SendBuffer: ActingMachine {
    typealias Settle = @Sendable (Result<UInt64, RelayFault>) -> Void

    enum Action: Sendable {
        case send(any Link, RelayMessage, number: UInt64)
        case settle(Settle, Result<UInt64, RelayFault>)
        case resume(CheckedContinuation<Void, Never>)
        /// No server has responded for a message's stream within the patience.
        case missStream(any Link, RelayMessage, stream: String, number: UInt64)
        /// A stream accepts no messages until it has room, or the server doesn't permit a subject.
        case report(RelayFault)
    }

    struct Settings {
        /// The maximum number of waiting messages, and of their bytes.
        var limit: Int
        var byteLimit = Int.max
        /// Whether the oldest message is dropped for a new one when a limit is reached.
        var dropsOldest = false
        var window: Int
        /// The time without a response after which everything is sent again.
        var patience: Duration
        /// The time for which a message that the server doesn't permit is retried, if no task waits for it.
        var permissionTimeout = Duration.seconds(60)
    }

    private enum Phase {
        case unlinked
        /// Only the first message is in flight.
        case probing
        case flowing
        /// No more messages are accepted, for this reason.
        case closed(RelayFault)
    }

    var actions: [Action] = []
    private let settings: Settings
    private var way = (phase: Phase.unlinked, link: (any Link)?.none)
    private var line = MessageLine()
    private var pauses = StreamPauses()
    /// The paused subjects, which the server doesn't permit.
    private var denials = StreamPauses()
    private var silence = Silence()
    private var stored = StoredMessages()
    private var waiting = (forRoom: [CheckedContinuation<Void, Never>](), forEnd: [CheckedContinuation<Void, Never>]())

    /// The number of unsettled messages, and their size in bytes.
    var count: Int { line.count }
    var bytes: Int { line.bytes }

    var resent: Int { line.resent }

    init(_ settings: Settings) { self.settings = settings }

    /// Whether there is room for a message of a size. If the buffer is empty, any message fits.
    private func hasRoom(for size: Int) -> Bool {
        let room = settings.byteLimit - bytes
        return count == 0 || (count < settings.limit && size <= room)
    }

    /// Adds a message, and returns whether there was room.
    ///
    /// - Parameters:
    ///   - destination: The stream for the message.
    ///   - isAwaited: Whether a task waits for the message. That task fails at once if the server doesn't permit it.
    ///   - now: The time.
    ///   - message: Creates the message, with the number of its response.
    ///   - settle: Called when the message is rejected, or stored with a number in the stream.
    /// - Returns: Whether there was room.
    mutating func append(
        to destination: Destination = Destination(), isAwaited: Bool = true, at now: Duration,
        _ message: (UInt64) -> RelayMessage, settle: @escaping Settle
    ) -> Bool {
        if case .closed(let fault) = way.phase {
            actions.append(.settle(settle, .failure(fault)))
            return true
        }
        let item = MessageLine.Item(
            line.nextNumber, message(line.nextNumber), to: destination, isAwaited: isAwaited, settle)
        if isAwaited, !denials.isEmpty, denials.isPaused(item.message.subject) {
            let fault = RelayFault(.permissionDenied, "the server denies the permission").about(item.message)
            actions.append(.settle(settle, .failure(fault)))
            return true
        }
        if !hasRoom(for: item.bytes) {
            if !settings.dropsOldest { return false }
            while !hasRoom(for: item.bytes) { if !dropFirst() { return false } }
        }
        line.append(consume item)
        sendSome(at: now)
        return true
    }

    /// Drops the oldest droppable message, and returns whether there was one.
    private mutating func dropFirst() -> Bool {
        guard let first = line.first(where: { $0.destination.isDroppable && $0.storedAt == nil }) else { return false }
        let fault = RelayFault(
            .sendBufferFull, "\(count) notifications waited to be stored, of which this was the oldest")
        settle(first, .failure(fault))
        return true
    }

    mutating func connect(_ link: any Link, streams: [String: StoredMessages.Stream] = [:], at now: Duration) {
        if case .closed = way.phase { return }
        way.link = link
        pauses.forgetAll()
        denials.forgetAll()
        let replaced = stored.connect(streams)
        refuse(.repeatsNothing) { $0.storedAt != nil && replaced.contains($0.stream) }
        probe(at: now)
    }

    mutating func disconnect() { if way.link != nil { way = (.unlinked, nil) } }

    mutating func answer(
        _ number: UInt64, _ result: Result<UInt64, RelayFault>, isDuplicate: Bool = false, at now: Duration
    ) {
        guard let index = line.index(of: number) else { return }
        silence.lastSign = now
        if pauses.end(line.items[index].stream) { line.rewind() }
        if !denials.isEmpty, denials.end(line.items[index].message.subject) { line.rewind() }
        let item = settle(index, result, isDuplicate: isDuplicate)
        if case .success(let number) = result, let item {
            if !isDuplicate, stored.isBehind(item.stream, number) { restore(item.stream, at: now) }
            stored.add(item, at: isDuplicate ? item.storedAt ?? now : now)
        }
        sendMore(at: now)
    }

    /// Handles a response that a stream can't accept a message now. The message waits until the stream can.
    ///
    /// - Parameters:
    ///   - number: The number of the message.
    ///   - reason: Why the stream can't accept it.
    ///   - fault: The fault to report if the stream is full, or if the message doesn't wait for it.
    ///   - now: The time.
    mutating func postpone(_ number: UInt64, _ reason: StreamPauses.Reason, _ fault: RelayFault, at now: Duration) {
        guard let index = line.index(of: number) else { return }
        let item = line.items[index]
        if reason == .full, !item.destination.waitsWhenFull { return answer(number, .failure(fault), at: now) }
        silence.lastSign = now
        line.noteUnsent(index)
        if pauses.begin(item.stream, reason, at: now) {
            switch reason {
            case .full: actions.append(.report(fault.about(item.message)))
            case .absent: restore(item.stream, at: now)
            }
        }
        if let link = way.link, pauses.isMissing(item.stream, patience: settings.patience, at: now) {
            actions.append(.missStream(link, item.message, stream: item.stream, number: number))
        }
        sendMore(at: now)
    }

    /// Handles a server's response that it doesn't permit a subject. Returns whether there are messages with the
    /// subject.
    ///
    /// Tasks that wait for such messages receive the fault. The other messages are retried one at a time, because the
    /// permission may return, and fail after ``Settings/permissionTimeout``. Messages with other subjects continue.
    mutating func deny(_ subject: String, _ fault: RelayFault, at now: Duration) -> Bool {
        // This is the response to another message in flight. All were taken back after the first response.
        if denials.isWaiting(subject) { return true }
        let count = count
        refuse(fault) { $0.isAwaited && $0.message.subject == subject }
        line.takeBack { $0.message.subject == subject }
        let waits = line.first { $0.message.subject == subject } != nil
        if waits, denials.begin(subject, .full, at: now) { actions.append(.report(fault)) }
        sendMore(at: now)
        return waits || self.count < count
    }

    /// Fails all messages, and those that are added later, because the relay ends.
    mutating func close(_ fault: RelayFault) {
        way = (.closed(fault), nil)
        refuse(fault) { _ in true }
    }

    /// Fails the messages of a table for a stream, because another program sends them.
    mutating func withdraw(tableOf stream: String) {
        refuse(RelayFault(.stopped, "another program may send it")) {
            !$0.destination.isDroppable && $0.stream == stream && $0.storedAt == nil
        }
        // Tasks that wait for room for a row of the table end. Other tasks wait again.
        resumeThoseThatWaitForRoom()
    }

    private mutating func refuse(_ fault: RelayFault, where isMeant: (MessageLine.Item) -> Bool) {
        // By number, because indices change while messages leave.
        for number in line.numbers(where: isMeant) {
            if let index = line.index(of: number) { settle(index, .failure(fault)) }
        }
    }

    @discardableResult
    private mutating func settle(
        _ index: Int, _ result: Result<UInt64, RelayFault>, isDuplicate: Bool = false
    ) -> MessageLine.Item? {
        guard let (item, settle) = line.remove(index) else { return nil }
        let result = result.mapError { $0.about(item.message) }
        if item.storedAt == nil {
            actions.append(.settle(settle, result))
            resumeThoseThatWaitForRoom()
        } else {
            reportRepeat(of: item, result, isDuplicate: isDuplicate)
        }
        if isEmpty {
            actions += waiting.forEnd.map { .resume($0) }
            waiting.forEnd = []
        }
        return item
    }

    private var isEmpty: Bool { count + line.restored == 0 }

    // MARK: Sending again

    /// Sends the messages again that a stream, or any stream if it is `nil`, may have lost.
    private mutating func restore(_ stream: String?, at now: Duration) {
        line.restore(stored.take(of: stream, at: now))
    }

    /// Gives up on messages that a stream may no longer recognise.
    private mutating func expire(at now: Duration) {
        stored.tick(at: now)
        if line.restored == 0 { return }
        let stored = stored
        refuse(.repeatsNothing) { item in
            item.storedAt.map { !stored.isRecent(item.stream, $0, at: now) } ?? false
        }
    }

    private mutating func reportRepeat(
        of item: MessageLine.Item, _ result: Result<UInt64, RelayFault>, isDuplicate: Bool
    ) {
        switch result {
        case .success(let number) where !isDuplicate:
            let words = "the stream had lost the notification after it had stored it; it is stored again as \(number)"
            actions.append(.report(RelayFault(.storedAgain, words).about(item.message)))
        case .failure(let fault) where fault.kind != .stopped: actions.append(.report(fault))
        default: break
        }
    }

    private mutating func resumeThoseThatWaitForRoom() {
        actions += waiting.forRoom.map { .resume($0) }
        waiting.forRoom = []
    }

    /// Sends everything again after a silence, and retries paused streams and subjects.
    mutating func tick(at now: Duration) {
        expire(at: now)
        guard let link = way.link else { return }
        let patience = settings.patience
        if line.sent > 0, silence.lastSign + patience < now { return probe(at: now) }
        // If only the first message in flight has no response, the server that had its stream is lost.
        let first = (line.sent > 0 ? line.first(where: \.isSent) : nil).map { line.items[$0] }
        if silence.isLong(first?.number, patience: patience, at: now), let stream = first?.stream {
            _ = pauses.begin(stream, .absent, at: now)
            line.takeBack { $0.stream == stream }
            restore(stream, at: now)
        }
        if !pauses.isEmpty { for stream in pauses.takeDue(at: now) { trySending(stream, over: link, at: now) } }
        if denials.isEmpty { return }
        for subject in denials.takeExpired(after: settings.permissionTimeout, at: now) {
            let words = "the server has denied the permission for \(settings.permissionTimeout)"
            refuse(RelayFault(.permissionDenied, words)) {
                $0.message.subject == subject
            }
        }
        for subject in denials.takeDue(at: now) { tryDenied(subject, over: link, at: now) }
    }

    /// Resumes a task when there is room for a message of a size.
    mutating func waitForRoom(_ size: Int = 0, _ continuation: CheckedContinuation<Void, Never>) {
        if hasRoom(for: size) { actions.append(.resume(continuation)) } else { waiting.forRoom.append(continuation) }
    }

    mutating func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) {
        if isEmpty { actions.append(.resume(continuation)) } else { waiting.forEnd.append(continuation) }
    }

    // MARK: Sending

    private mutating func probe(at now: Duration) {
        expire(at: now)
        restore(nil, at: now)
        line.takeBack { _ in true }
        line.rewind()
        pauses.retry()
        denials.retry()
        way.phase = isEmpty ? .flowing : .probing
        sendSome(at: now)
    }

    /// Sends up to a whole window, because a message has a response.
    private mutating func sendMore(at now: Duration) {
        if case .probing = way.phase { way.phase = .flowing }
        sendSome(at: now)
    }

    private mutating func sendSome(at now: Duration) {
        guard let link = way.link else { return }
        var most = settings.window
        if case .probing = way.phase { most = 1 }
        while let index = line.next(atMost: most) {
            if pauses.isEmpty && denials.isEmpty || !isPaused(line.items[index]) { send(index, over: link, at: now) }
        }
    }

    private func isPaused(_ item: MessageLine.Item) -> Bool {
        !pauses.isEmpty && pauses.isPaused(item.stream)
            || !denials.isEmpty && denials.isPaused(item.message.subject)
    }

    private mutating func send(_ index: Int, over link: any Link, at now: Duration) {
        actions.append(.send(link, line.items[index].message, number: line.items[index].number))
        line.noteSent(index)
        silence.lastSign = now
    }

    /// Sends the first message of a paused stream again. After a stream has lost its leader, the server rejects the
    /// last message in flight and doesn't respond to the first, which the leader had. When the first message has a
    /// response, the others follow in order.
    private mutating func trySending(_ stream: String, over link: any Link, at now: Duration) {
        line.takeBack { $0.stream == stream }
        let first = line.first {
            $0.stream == stream && (denials.isEmpty || !denials.isPaused($0.message.subject))
        }
        guard let first else { return pauses.forget(stream) }
        send(first, over: link, at: now)
    }

    /// Sends the first message of a subject to test whether the server permits it now.
    private mutating func tryDenied(_ subject: String, over link: any Link, at now: Duration) {
        guard let first = line.first(where: { $0.message.subject == subject }),
            !pauses.isPaused(line.items[first].stream)
        else { return denials.forget(subject) }
        if !line.items[first].isSent { send(first, over: link, at: now) }
    }
}

extension RelayFault {
    /// The result of a stored message that isn't sent again. It isn't reported.
    fileprivate static let repeatsNothing = RelayFault(.stopped, "the stream has stored it")
}
