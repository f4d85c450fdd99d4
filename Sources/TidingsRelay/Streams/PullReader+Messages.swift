/// The course of a message that a reader has fetched: it waits for its turn, is handed out, and is acknowledged once.
extension PullReader {
    /// Records a message that has arrived.
    ///
    /// - Parameters:
    ///   - delivery: Its delivery.
    ///   - now: The time.
    /// - Returns: Whether the message waits for its turn. It doesn't if it is here already, or if it arrives before its
    ///   retry is due.
    mutating func arrive(_ delivery: StreamDelivery, at now: Duration) -> Bool {
        heard(at: now)
        if isLost(at: now) { return false }
        if !pulls.isEmpty {
            pulls[0].left -= 1
            if pulls[0].left <= 0 { pulls.removeFirst() }
        }
        guard takesMore, isOpen || !isShared else {
            setbacks.addUnused(delivery.sequence, at: now)
            acknowledge(delivery, .again(after: .zero))
            return false
        }
        // A copy that was in transit when the message failed.
        if let pause = setbacks.pause(delivery.sequence, at: now) {
            setbacks.addUnused(delivery.sequence, at: now)
            acknowledge(delivery, .again(after: pause))
            pull(at: now)
            return false
        }
        if fetched.arrive(delivery) { return true }
        duplicates += 1
        setbacks.addUnused(delivery.sequence, at: now)
        pull(at: now)
        return false
    }

    /// Hands out a message that has arrived when it is its turn.
    ///
    /// - Parameters:
    ///   - sequence: Its number in the stream.
    ///   - isAlone: Whether no other message may be in progress at the same time.
    ///   - take: Hands it out.
    mutating func wait(_ sequence: UInt64, isAlone: Bool = false, take: @escaping @Sendable () -> Void) {
        fetched.wait(sequence, isAlone: isAlone, take: take)
        goOn()
    }

    /// Whether nothing is handed out before ``goOn(after:at:)``, because the message was handed out alone.
    func isHeldUp(by sequence: UInt64) -> Bool { fetched.isHeldUp(by: sequence) }

    /// Whether a message has failed here, which explains why it is redelivered.
    func hasFailed(_ sequence: UInt64) -> Bool { setbacks.hasFailed(sequence) }

    /// The number of the delivery attempt of a message. The first is 1.
    func attempt(_ sequence: UInt64) -> Int { fetched[sequence].map(setbacks.attempt) ?? 1 }

    /// Returns whether a message that can't be read may wait for its redelivery. Only a limited number may.
    mutating func holdsUnread(_ sequence: UInt64, atMost most: Int) -> Bool {
        setbacks.addUnread(sequence, atMost: most)
    }

    /// Records that a message is being handed out.
    ///
    /// - Parameters:
    ///   - id: Its identity.
    ///   - sequence: Its number in the stream.
    ///   - now: The time.
    /// - Returns: Whether to call observers. A copy of a message that is done is acknowledged now, and a copy of one in
    ///   progress is acknowledged with it.
    mutating func begin(_ id: String, _ sequence: UInt64, at now: Duration) -> Bool {
        guard let delivery = fetched[sequence] else { return false }
        if isLost(at: now) {
            drop(sequence, at: now)
            return false
        }
        guard takesMore else {
            release(sequence, .again(after: .zero), at: now)
            return false
        }
        let state = progress.begin(id, sequence)
        if state == .unknown { return true }
        duplicates += 1
        if state == .done { release(delivery.sequence, .done, at: now) }
        return false
    }

    /// Reports the result of a message, and of all copies of the same event, to the server.
    mutating func end(_ id: String, _ acknowledgement: Acknowledgement, at now: Duration) {
        var failedUntil: Duration?
        if case .again(let delay) = acknowledgement { failedUntil = now + delay }
        let sequences = progress.end(id, isDone: failedUntil == nil)
        for sequence in sequences {
            if let failedUntil { setbacks.addFailure(sequence, due: failedUntil) } else { setbacks.remove(sequence) }
        }
        for sequence in sequences { release(sequence, acknowledgement, at: now) }
    }

    /// Resumes handing out messages after one that was handed out alone.
    mutating func goOn(after sequence: UInt64, at now: Duration) {
        fetched.goOn(after: sequence)
        goOn()
        pull(at: now)
    }

    /// Drops a message that can't be handled now. The server redelivers it when its acknowledgement time is over.
    mutating func drop(_ sequence: UInt64, at now: Duration) {
        _ = fetched.remove(sequence)
        goOn()
        pull(at: now)
    }

    private mutating func release(_ sequence: UInt64, _ acknowledgement: Acknowledgement, at now: Duration) {
        guard let delivery = fetched.remove(sequence, holdingUp: true) else { return }
        acknowledgedCount += 1
        acknowledge(delivery, acknowledgement)
        goOn()
        pull(at: now)
    }
}
