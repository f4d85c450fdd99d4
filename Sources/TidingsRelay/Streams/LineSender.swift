struct LineSender: Sendable {
    var line = MessageLine()
    private let settings: SendBuffer.Settings
    private var link: (any Link)?
    private var isProbing = false
    private var pauses = StreamPauses()
    /// The subjects for which the server denies permission. `pauses` contains the streams that are full or absent.
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

    mutating func probe(_ actions: inout [SendBuffer.Action], at now: Duration) {
        line.takeBack { _ in true }
        line.rewind()
        pauses.retry()
        denials.retry()
        isProbing = !line.isEmpty
        sendSome(&actions, at: now)
    }

    mutating func sendMore(_ actions: inout [SendBuffer.Action], at now: Duration) {
        isProbing = false
        sendSome(&actions, at: now)
    }

    mutating func sendSome(_ actions: inout [SendBuffer.Action], at now: Duration) {
        guard let link else { return }
        let most = isProbing ? 1 : settings.window
        while let index = line.next(atMost: most) {
            if pauses.isEmpty && denials.isEmpty || !isPaused(line.entries[index].item) {
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
        let entry = line.entries[index]
        actions.append(.send(link, entry.item.message, number: entry.number))
        line.noteSent(index, at: now)
        silence.lastSign = now
    }

    mutating func noteAnswer(_ index: Int, at now: Duration) {
        silence.lastSign = now
        if pauses.end(line.entries[index].item.stream) { line.rewind() }
        if !denials.isEmpty, denials.end(line.entries[index].item.message.subject) { line.rewind() }
    }

    mutating func pause(_ index: Int, _ reason: StreamPauses.Reason, at now: Duration) -> Bool {
        silence.lastSign = now
        line.noteUnsent(index)
        return pauses.begin(line.entries[index].item.stream, reason, at: now)
    }

    mutating func link(missing stream: String, at now: Duration) -> (any Link)? {
        guard let link, pauses.isMissing(stream, patience: settings.patience, at: now) else { return nil }
        return link
    }

    func isSilent(at now: Duration) -> Bool { line.sent > 0 && silence.lastSign + settings.patience < now }

    mutating func pauseSilentStream(at now: Duration) -> String? {
        let first = (line.sent > 0 ? line.first(where: \.isSent) : nil).map { line.entries[$0] }
        guard silence.isLong(first?.number, patience: settings.patience, at: now), let stream = first?.item.stream
        else {
            return nil
        }
        _ = pauses.begin(stream, .absent, at: now)
        line.takeBack { $0.item.stream == stream }
        return stream
    }

    /// Tests each stream whose pause is over with one message. The stream's other messages count as unsent, because
    /// they may have been sent to a lost leader, which never responds.
    mutating func retryStreams(_ actions: inout [SendBuffer.Action], at now: Duration) {
        guard let link, !pauses.isEmpty else { return }
        for stream in pauses.takeDue(at: now) {
            line.takeBack { $0.item.stream == stream }
            if let first = line.first(where: { $0.item.stream == stream && !isDenied($0.item.message.subject) }) {
                send(first, over: link, &actions, at: now)
            } else {
                pauses.forget(stream)
            }
        }
    }

    func isDenied(_ subject: String) -> Bool { !denials.isEmpty && denials.isPaused(subject) }

    func isWaiting(forPermission subject: String) -> Bool { denials.isWaiting(subject) }

    mutating func deny(
        _ subject: String, _ fault: RelayFault, _ actions: inout [SendBuffer.Action], at now: Duration
    ) -> Bool {
        line.takeBack { $0.item.message.subject == subject }
        guard line.first(where: { $0.item.message.subject == subject }) != nil else { return false }
        if denials.begin(subject, .full, at: now) { actions.append(.report(fault)) }
        return true
    }

    mutating func takeExpiredDenials(at now: Duration) -> [String] {
        denials.isEmpty ? [] : denials.takeExpired(after: settings.permissionTimeout, at: now)
    }

    mutating func retrySubjects(_ actions: inout [SendBuffer.Action], at now: Duration) {
        guard let link, !denials.isEmpty else { return }
        for subject in denials.takeDue(at: now) {
            let first = line.first { $0.item.message.subject == subject }
            guard let first, !pauses.isPaused(line.entries[first].item.stream) else {
                denials.forget(subject)
                continue
            }
            if !line.entries[first].isSent { send(first, over: link, &actions, at: now) }
        }
    }
}
