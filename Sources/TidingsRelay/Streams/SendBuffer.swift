/// The messages that a relay sends to streams. At most `window` of them are sent and unanswered at a time. A message is
/// removed when its stream has stored or permanently rejected it. On a new link, and after a time without responses,
/// all messages are sent again in order. The stream detects duplicates by their identities. The first message is sent
/// alone until it has a response. Otherwise, a stream that recovers might lose it and store later messages first.
struct SendBuffer: ActingMachine {
    typealias Settle = @Sendable (Result<UInt64, RelayFault>) -> Void

    enum Action: Sendable {
        case send(any Link, RelayMessage, number: UInt64)
        case settle(Settle, Result<UInt64, RelayFault>)
        case resume(CheckedContinuation<Void, Never>)
        /// The message's stream has been unavailable for the time set by `patience`.
        case missStream(any Link, RelayMessage, stream: String, number: UInt64)
        case report(RelayFault)
    }

    struct Settings {
        var limit: Int
        var byteLimit = Int.max
        var dropsOldest = false
        var window: Int
        /// The time without a response after which all messages are sent again.
        var patience: Duration
        /// The time for which a message with a denied subject is retried if no task waits for it. It fails afterwards.
        var permissionTimeout = Duration.seconds(60)
    }

    var actions: [Action] = []
    private let settings: Settings
    private var end: RelayFault?
    private var sender: LineSender
    private var stored = StoredMessages()
    private var waiting = (forRoom: [CheckedContinuation<Void, Never>](), forEnd: [CheckedContinuation<Void, Never>]())

    var count: Int { sender.line.count }
    var bytes: Int { sender.line.bytes }

    init(_ settings: Settings) {
        self.settings = settings
        sender = LineSender(settings)
    }

    private func hasRoom(for size: Int) -> Bool { hasRoom(for: size, besides: count, bytes) }

    private func hasRoom(for size: Int, besides count: Int, _ bytes: Int) -> Bool {
        count == 0 || (count < settings.limit && size <= settings.byteLimit - bytes)
    }

    private func canMakeRoom(for size: Int) -> Bool {
        var (leftCount, leftBytes) = (count, bytes)
        let last = sender.line.first { entry in
            if entry.item.destination.isDroppable, entry.storedAt == nil {
                leftCount -= 1
                leftBytes -= entry.item.bytes
            }
            return hasRoom(for: size, besides: leftCount, leftBytes)
        }
        return last != nil
    }

    /// Adds a message. Returns false if there is no room. With `isAwaited`, the message fails at once if its subject is
    /// denied. `message` creates the message from a number that identifies the response. `settle` receives the message's
    /// position in the stream, or a fault.
    mutating func append(
        to destination: Destination = Destination(), isAwaited: Bool = true, at now: Duration,
        _ message: (UInt64) -> RelayMessage, settle: @escaping Settle
    ) -> Bool {
        if let end {
            actions.append(.settle(settle, .failure(end)))
            return true
        }
        let number = sender.line.nextNumber
        let item = MessageLine.Item(message(number), to: destination, isAwaited: isAwaited)
        if isAwaited, sender.isDenied(item.message.subject) {
            let fault = RelayFault(.permissionDenied, "the server denies the permission").about(item.message)
            actions.append(.settle(settle, .failure(fault)))
            return true
        }
        if !hasRoom(for: item.bytes) {
            // If messages that can't be dropped leave too little room, nothing is dropped.
            if !settings.dropsOldest || !canMakeRoom(for: item.bytes) { return false }
            while !hasRoom(for: item.bytes) { if !dropFirst() { return false } }
        }
        sender.line.append(item, settle)
        sender.sendSome(&actions, at: now)
        return true
    }

    private mutating func dropFirst() -> Bool {
        let first = sender.line.first { $0.item.destination.isDroppable && $0.storedAt == nil }
        guard let first else { return false }
        let fault = RelayFault(
            .sendBufferFull, "\(count.waitingNotifications) to be stored, and this one is the oldest, so it is dropped")
        settle(first, .failure(fault))
        return true
    }

    mutating func connect(_ link: any Link, streams: [String: StoredMessages.Stream] = [:], at now: Duration) {
        if end != nil { return }
        sender.connect(link)
        let replaced = stored.connect(streams)
        refuse(.repeatsNothing) { $0.storedAt != nil && replaced.contains($0.item.stream) }
        probe(at: now)
    }

    mutating func disconnect() { sender.disconnect() }

    mutating func answer(
        _ number: UInt64, _ result: Result<UInt64, RelayFault>, isDuplicate: Bool = false, at now: Duration
    ) {
        guard let index = sender.line.index(of: number) else { return }
        sender.noteAnswer(index, at: now)
        let entry = settle(index, result, isDuplicate: isDuplicate)
        if case .success(let sequence) = result, let entry {
            let stream = entry.item.stream
            if !isDuplicate, stored.isBehind(stream, sequence) { restore(stream, at: now) }
            // If the first response was lost, the stream may have stored the message as soon as it was first sent.
            stored.add(entry.item, number, at: isDuplicate ? entry.storedAt ?? entry.sentAt ?? now : now)
        }
        sender.sendMore(&actions, at: now)
    }

    /// Pauses the message's stream. If the stream is full and `waitsWhenFull` is false, the message fails with `fault`
    /// instead.
    mutating func postpone(_ number: UInt64, _ reason: StreamPauses.Reason, _ fault: RelayFault, at now: Duration) {
        guard let index = sender.line.index(of: number) else { return }
        let item = sender.line.entries[index].item
        if reason == .full, !item.destination.waitsWhenFull { return answer(number, .failure(fault), at: now) }
        if sender.pause(index, reason, at: now) {
            switch reason {
            case .full: actions.append(.report(fault.about(item.message)))
            case .absent: restore(item.stream, at: now)
            }
        }
        if let link = sender.link(missing: item.stream, at: now) {
            actions.append(.missStream(link, item.message, stream: item.stream, number: number))
        }
        sender.sendMore(&actions, at: now)
    }

    /// Records that the server denies a subject. Returns whether there were messages with the subject. Messages that no
    /// task waits for are retried one at a time, because the permission may be granted again.
    mutating func deny(_ subject: String, _ fault: RelayFault, at now: Duration) -> Bool {
        // The first denial has paused all messages with the subject, so later denials need no action.
        if sender.isWaiting(forPermission: subject) { return true }
        let count = count
        refuse(fault) { $0.item.isAwaited && $0.item.message.subject == subject }
        let waits = sender.deny(subject, fault, &actions, at: now)
        sender.sendMore(&actions, at: now)
        return waits || self.count < count
    }

    mutating func close(_ fault: RelayFault) {
        end = fault
        sender.disconnect()
        refuse(fault) { _ in true }
    }

    mutating func withdraw(tableOf stream: String) {
        refuse(RelayFault(.stopped, "another program may send this row")) {
            !$0.item.destination.isDroppable && $0.item.stream == stream && $0.storedAt == nil
        }
        // A resumed task that waited to add a row of the withdrawn table doesn't add it. Other tasks check for room
        // again.
        resumeThoseThatWaitForRoom()
    }

    private mutating func refuse(_ fault: RelayFault, where isMeant: (MessageLine.Entry) -> Bool) {
        // The loop uses numbers, because indices change while messages are removed.
        for number in sender.line.numbers(where: isMeant) {
            if let index = sender.line.index(of: number) { settle(index, .failure(fault)) }
        }
    }

    @discardableResult
    private mutating func settle(
        _ index: Int, _ result: Result<UInt64, RelayFault>, isDuplicate: Bool = false
    ) -> MessageLine.Entry? {
        guard let (entry, settle) = sender.line.remove(index) else { return nil }
        let message = entry.item.message
        let result = result.mapError { $0.about(message) }
        if entry.storedAt == nil {
            actions.append(.settle(settle, result))
            resumeThoseThatWaitForRoom()
        } else if let fault = StoredMessages.fault(of: result, isDuplicate: isDuplicate) {
            actions.append(.report(fault.about(message)))
        }
        if sender.line.isEmpty {
            actions += waiting.forEnd.map { .resume($0) }
            waiting.forEnd = []
        }
        return entry
    }

    private mutating func restore(_ stream: String?, at now: Duration) {
        sender.line.restore(stored.take(of: stream, at: now))
    }

    /// Removes stored messages that a stream may no longer recognize as duplicates, so they aren't sent again.
    private mutating func expire(at now: Duration) {
        stored.tick(at: now)
        if sender.line.restored == 0 { return }
        let stored = stored
        refuse(.repeatsNothing) { entry in
            entry.storedAt.map { !stored.isRecent(entry.item.stream, $0, at: now) } ?? false
        }
    }

    private mutating func resumeThoseThatWaitForRoom() {
        actions += waiting.forRoom.map { .resume($0) }
        waiting.forRoom = []
    }

    mutating func tick(at now: Duration) {
        expire(at: now)
        if !sender.isLinked { return }
        if sender.isSilent(at: now) { return probe(at: now) }
        if let stream = sender.pauseSilentStream(at: now) { restore(stream, at: now) }
        sender.retryStreams(&actions, at: now)
        for subject in sender.takeExpiredDenials(at: now) {
            let words = "the server has denied the permission for \(settings.permissionTimeout)"
            refuse(RelayFault(.permissionDenied, words)) { $0.item.message.subject == subject }
        }
        sender.retrySubjects(&actions, at: now)
    }

    private mutating func probe(at now: Duration) {
        expire(at: now)
        restore(nil, at: now)
        sender.probe(&actions, at: now)
    }

    mutating func waitForRoom(_ size: Int = 0, _ continuation: CheckedContinuation<Void, Never>) {
        if hasRoom(for: size) { actions.append(.resume(continuation)) } else { waiting.forRoom.append(continuation) }
    }

    mutating func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) {
        if sender.line.isEmpty { actions.append(.resume(continuation)) } else { waiting.forEnd.append(continuation) }
    }
}
