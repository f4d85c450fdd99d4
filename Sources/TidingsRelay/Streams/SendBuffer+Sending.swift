// Sending the messages of the send buffer, and handling the result.

extension SendBuffer {
    mutating func probe(at now: Duration) {
        resent += sent
        for index in head..<items.count where items[index].isSent { items[index].isSent = false }
        (sent, next) = (0, head)
        pauses.retry()
        denials.retry()
        phase = count > 0 ? .probing : .flowing
        sendSome(at: now)
    }

    mutating func sendSome(at now: Duration) {
        guard phase != .unlinked else { return }
        let most = phase == .probing ? 1 : window
        while next < items.count, sent < most {
            let item = items[next]
            if item.settle != nil, !item.isSent, !isPaused(item) { send(next, at: now) }
            next += 1
        }
    }

    private func isPaused(_ item: Item) -> Bool {
        !pauses.isEmpty && pauses.isPaused(item.stream)
            || !denials.isEmpty && denials.isPaused(item.message.subject)
    }

    mutating func send(_ index: Int, at now: Duration) {
        guard let link else { return }
        actions.append(.send(link, items[index].message, number: items[index].number))
        items[index].isSent = true
        sent += 1
        lastSign = now
    }

    /// Returns the stream of the message that has been in flight for the longest time, if it wasn't answered within the
    /// patience while others were answered. In that case the server that had the stream is lost.
    mutating func silentStream(at now: Duration) -> String? {
        guard sent > 0, let first = items[head...].first(where: { $0.isSent && $0.settle != nil }) else {
            oldest = nil
            return nil
        }
        guard let oldest, oldest.number == first.number else {
            oldest = (first.number, now)
            return nil
        }
        if now - oldest.since <= patience { return nil }
        self.oldest = nil
        return first.stream
    }

    /// Marks messages in flight to be sent again.
    mutating func takeBack(_ isMeant: (Item) -> Bool) {
        for index in head..<items.count where items[index].isSent && isMeant(items[index]) {
            items[index].isSent = false
            if items[index].settle == nil { continue }
            sent -= 1
            resent += 1
        }
    }

    /// Sends the first message of a paused stream, whether or not it was sent before. After a stream was lost, the
    /// server rejects the last message in flight and doesn't answer the first, which the stream's leader had. When the
    /// first is answered, all others follow in order.
    mutating func trySending(_ stream: String, at now: Duration) {
        takeBack { $0.stream == stream }
        let first = (head..<items.count).first { index in
            items[index].settle != nil && items[index].stream == stream
                && (denials.isEmpty || !denials.isPaused(items[index].message.subject))
        }
        guard let first else { return pauses.forget(stream) }
        send(first, at: now)
    }

    /// Sends the first message of a subject that wasn't permitted, to test whether it is now.
    mutating func tryDenied(_ subject: String, at now: Duration) {
        let first = (head..<items.count).first { items[$0].settle != nil && items[$0].message.subject == subject }
        guard let first, !pauses.isPaused(items[first].stream) else { return denials.forget(subject) }
        if !items[first].isSent { send(first, at: now) }
    }

    mutating func settle(_ index: Int, _ result: Result<UInt64, RelayFault>) {
        guard let settle = items[index].settle.take() else { return }
        let message = items[index].message
        actions.append(.settle(settle, result.mapError { $0.about(message) }))
        count -= 1
        bytes -= items[index].bytes
        if items[index].isSent { sent -= 1 }
        items[index].message = RelayMessage("")
        while head < items.count, items[head].settle == nil { head += 1 }
        next = max(next, head)
        // The messages are moved so rarely that each one is moved once on average. If the first waits for its stream,
        // there are gaps.
        if items.count > 2048, count * 2 < items.count {
            next = items[head..<next].count { $0.settle != nil }
            items = items[head...].filter { $0.settle != nil }
            head = 0
        }
        actions += waitingForRoom.map { .resume($0) }
        waitingForRoom = []
        if count == 0 {
            actions += waitingForEnd.map { .resume($0) }
            waitingForEnd = []
        }
    }
}

extension RelayFault {
    /// Returns the same fault with its subject, if it has none.
    func about(_ message: RelayMessage) -> RelayFault {
        var fault = self
        fault.subject = subject ?? message.subject
        fault.id = id ?? message.header("Nats-Msg-Id")
        return fault
    }
}
