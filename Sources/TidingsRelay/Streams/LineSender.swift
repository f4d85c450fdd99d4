/// Sends the messages of a line in order. The type is a part of the state machine ``SendBuffer``.
///
/// Messages wait if their stream is full or unavailable, or their subject isn't permitted. Other messages continue.
struct LineSender: Sendable {
    var line = MessageLine()
    private let settings: SendBuffer.Settings
    private var link: (any Link)?
    /// Whether only the first message is in flight.
    private var isProbing = false
    private var pauses = StreamPauses()
    /// The paused subjects, which the server doesn't permit.
    private var denials = StreamPauses()
    private var silence = Silence()

    var isLinked: Bool { link != nil }

    init(_ settings: SendBuffer.Settings) { self.settings = settings }

    mutating func connect(_ link: any Link) {
        self.link = link
        pauses.forgetAll()
        denials.forgetAll()
    }

    mutating func disconnect() { link = nil }

    // MARK: Sending

    /// Sends all messages again, the first one alone.
    mutating func probe(_ actions: inout [SendBuffer.Action], at now: Duration) {
        line.takeBack { _ in true }
        line.rewind()
        pauses.retry()
        denials.retry()
        isProbing = !line.isEmpty
        sendSome(&actions, at: now)
    }

    /// Sends up to a whole window, because a message has had a response.
    mutating func sendMore(_ actions: inout [SendBuffer.Action], at now: Duration) {
        isProbing = false
        sendSome(&actions, at: now)
    }

    mutating func sendSome(_ actions: inout [SendBuffer.Action], at now: Duration) {
        guard let link else { return }
        let most = isProbing ? 1 : settings.window
        while let index = line.next(atMost: most) {
            if pauses.isEmpty && denials.isEmpty || !isPaused(line.items[index]) {
                send(index, over: link, &actions, at: now)
            }
        }
    }

    private func isPaused(_ item: MessageLine.Item) -> Bool {
        !pauses.isEmpty && pauses.isPaused(item.stream) || isDenied(item.message.subject)
    }

    private mutating func send(
        _ index: Int, over link: any Link, _ actions: inout [SendBuffer.Action], at now: Duration
    ) {
        actions.append(.send(link, line.items[index].message, number: line.items[index].number))
        line.noteSent(index)
        silence.lastSign = now
    }

    /// Records that a message was stored or rejected. This may end a pause.
    mutating func noteAnswer(_ index: Int, at now: Duration) {
        silence.lastSign = now
        if pauses.end(line.items[index].stream) { line.rewind() }
        if !denials.isEmpty, denials.end(line.items[index].message.subject) { line.rewind() }
    }

    // MARK: Streams

    /// Pauses the stream of a message that it can't accept now. Returns true for a new pause or a new reason.
    mutating func pause(_ index: Int, _ reason: StreamPauses.Reason, at now: Duration) -> Bool {
        silence.lastSign = now
        line.noteUnsent(index)
        return pauses.begin(line.items[index].stream, reason, at: now)
    }

    /// Returns the link if the stream has been unavailable for the time set by `patience`.
    mutating func link(missing stream: String, at now: Duration) -> (any Link)? {
        guard let link, pauses.isMissing(stream, patience: settings.patience, at: now) else { return nil }
        return link
    }

    /// Whether no message has had a response within the time set by `patience`.
    func isSilent(at now: Duration) -> Bool { line.sent > 0 && silence.lastSign + settings.patience < now }

    /// Pauses and returns the stream of the first message in flight if the message has had no response for too long.
    mutating func pauseSilentStream(at now: Duration) -> String? {
        let first = (line.sent > 0 ? line.first(where: \.isSent) : nil).map { line.items[$0] }
        guard silence.isLong(first?.number, patience: settings.patience, at: now), let stream = first?.stream else {
            return nil
        }
        _ = pauses.begin(stream, .absent, at: now)
        line.takeBack { $0.stream == stream }
        return stream
    }

    /// Sends the first message of each paused stream again. The others follow in order when the first has a response.
    ///
    /// After a stream has lost its leader, the server rejects the last message in flight, but doesn't respond to the
    /// first message, because only the lost leader had it.
    mutating func retryStreams(_ actions: inout [SendBuffer.Action], at now: Duration) {
        guard let link, !pauses.isEmpty else { return }
        for stream in pauses.takeDue(at: now) {
            line.takeBack { $0.stream == stream }
            if let first = line.first(where: { $0.stream == stream && !isDenied($0.message.subject) }) {
                send(first, over: link, &actions, at: now)
            } else {
                pauses.forget(stream)
            }
        }
    }

    // MARK: Subjects

    func isDenied(_ subject: String) -> Bool { !denials.isEmpty && denials.isPaused(subject) }

    /// Whether a subject is denied, and no message is in flight to test it.
    func isWaiting(forPermission subject: String) -> Bool { denials.isWaiting(subject) }

    /// Pauses a subject, and reports the fault if the pause is new. Returns whether messages wait for the permission.
    mutating func deny(
        _ subject: String, _ fault: RelayFault, _ actions: inout [SendBuffer.Action], at now: Duration
    ) -> Bool {
        line.takeBack { $0.message.subject == subject }
        guard line.first(where: { $0.message.subject == subject }) != nil else { return false }
        if denials.begin(subject, .full, at: now) { actions.append(.report(fault)) }
        return true
    }

    mutating func takeExpiredDenials(at now: Duration) -> [String] {
        denials.isEmpty ? [] : denials.takeExpired(after: settings.permissionTimeout, at: now)
    }

    /// Sends the first message of each denied subject, to test whether the server permits the subject now.
    mutating func retrySubjects(_ actions: inout [SendBuffer.Action], at now: Duration) {
        guard let link, !denials.isEmpty else { return }
        for subject in denials.takeDue(at: now) {
            let first = line.first { $0.message.subject == subject }
            guard let first, !pauses.isPaused(line.items[first].stream) else {
                denials.forget(subject)
                continue
            }
            if !line.items[first].isSent { send(first, over: link, &actions, at: now) }
        }
    }
}
