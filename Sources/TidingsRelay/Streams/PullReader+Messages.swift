/// What becomes of a message that a reader has fetched: it waits for its turn, is handed out, and is acknowledged, once.
extension PullReader {
    /// Notes a message that has come.
    ///
    /// - Parameters:
    ///   - delivery: Its delivery.
    ///   - now: The time.
    /// - Returns: Whether it is to wait for its turn. One that is here already is not, nor one that comes before its time.
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
        // A copy that was on its way when the message failed.
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

    /// Has a message that has come handed out when it is its turn.
    ///
    /// - Parameters:
    ///   - sequence: Its number in the stream.
    ///   - isAlone: Whether nothing else may be in progress with it.
    ///   - take: Hands it out.
    mutating func wait(_ sequence: UInt64, isAlone: Bool = false, take: @escaping @Sendable () -> Void) {
        fetched.wait(sequence, isAlone: isAlone, take: take)
        goOn()
    }

    /// Whether nothing is handed out before ``goOn(after:at:)``, as a message was alone.
    func isHeldUp(by sequence: UInt64) -> Bool { fetched.isHeldUp(by: sequence) }

    /// Whether a message has failed here, so that it is known why it comes again.
    func hasFailed(_ sequence: UInt64) -> Bool { setbacks.hasFailed(sequence) }

    /// Which attempt the delivery of a message is; the first is 1.
    func attempt(_ sequence: UInt64) -> Int { fetched[sequence].map(setbacks.attempt) ?? 1 }

    /// Whether a message that cannot be read may wait until it is delivered again, as so many may.
    mutating func holdsUnread(_ sequence: UInt64, atMost most: Int) -> Bool {
        setbacks.addUnread(sequence, atMost: most)
    }

    /// Notes that a message is being handed out.
    ///
    /// - Parameters:
    ///   - id: Its identity.
    ///   - sequence: Its number in the stream.
    ///   - now: The time.
    /// - Returns: Whether observers are to be called; a copy of what is done with is acknowledged, or will be.
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

    /// Tells the server what became of a message, and of what is the same event.
    mutating func end(_ id: String, _ acknowledgement: Acknowledgement, at now: Duration) {
        var failedUntil: Duration?
        if case .again(let delay) = acknowledgement { failedUntil = now + delay }
        let sequences = progress.end(id, isDone: failedUntil == nil)
        for sequence in sequences {
            if let failedUntil { setbacks.addFailure(sequence, due: failedUntil) } else { setbacks.remove(sequence) }
        }
        for sequence in sequences { release(sequence, acknowledgement, at: now) }
    }

    /// Hands out others again, after a message that was alone.
    mutating func goOn(after sequence: UInt64, at now: Duration) {
        fetched.goOn(after: sequence)
        goOn()
        pull(at: now)
    }

    /// Lets go of a message that cannot be dealt with now. The server gives it out again when its time is up.
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
