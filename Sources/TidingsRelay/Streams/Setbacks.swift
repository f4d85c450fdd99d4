/// What this program knows of messages that it was given and has not done: how often they failed, and when they are due again.
///
/// The server's count of deliveries says less: it also counts those that nobody was called with, as they waited for too long, or as their
/// program was lost with others.
struct Setbacks: Sendable {
    private struct Setback {
        var failures = 0
        /// How many deliveries came to nothing without a failure.
        var unused = 0
        var due = Duration.zero
        /// Whether it waits to be read by another program, or the next version of this one.
        var isUnread = false
    }

    private let isShared: Bool
    private var setbacks: [UInt64: Setback] = [:]
    private var nextLook = Duration.zero

    /// - Parameter isShared: Whether other programs are given the same messages, so that the server's count says what failed there.
    init(isShared: Bool) { self.isShared = isShared }

    /// Whether a message has failed here.
    func hasFailed(_ sequence: UInt64) -> Bool { (setbacks[sequence]?.failures ?? 0) > 0 }

    /// Which attempt a delivery is; the first is 1.
    func attempt(_ delivery: StreamDelivery) -> Int {
        let setback = setbacks[delivery.sequence]
        return isShared ? max(1, delivery.count - (setback?.unused ?? 0)) : (setback?.failures ?? 0) + 1
    }

    /// Notes that a delivery came to nothing without a failure.
    mutating func addUnused(_ sequence: UInt64, at now: Duration) {
        var setback = setbacks[sequence] ?? Setback(due: now)
        setback.unused += 1
        setbacks[sequence] = setback
    }

    /// Notes a failure.
    mutating func addFailure(_ sequence: UInt64, due: Duration) {
        setbacks[sequence, default: Setback()].failures += 1
        setbacks[sequence]?.due = due
    }

    /// Notes that a message cannot be read, unless so many others wait for that reason.
    ///
    /// - Returns: Whether it may wait, too.
    mutating func addUnread(_ sequence: UInt64, atMost most: Int) -> Bool {
        if setbacks[sequence]?.isUnread == true { return true }
        guard setbacks.values.count(where: \.isUnread) < most else { return false }
        setbacks[sequence, default: Setback()].isUnread = true
        return true
    }

    /// For how long a message is not to be tried again; `nil` if it may be.
    func pause(_ sequence: UInt64, at now: Duration) -> Duration? {
        guard let due = setbacks[sequence]?.due, due > now else { return nil }
        return due - now
    }

    /// Forgets a message, which is done with.
    mutating func remove(_ sequence: UInt64) { setbacks[sequence] = nil }

    /// Forgets what has not come again for ten minutes after its time, as another program has got it.
    mutating func tick(at now: Duration) {
        if now < nextLook { return }
        nextLook = now + .seconds(60)
        setbacks = setbacks.filter { $0.value.due + .seconds(600) > now }
    }
}
