/// The messages that this program received and didn't complete: how often they failed, and when they are due again.
///
/// The server's delivery count is less precise. It includes deliveries for which no observer was called, because they
/// waited too long, or because their program was lost while handling others.
struct Setbacks: Sendable {
    private struct Setback {
        var failures = 0
        /// The number of deliveries that led to nothing, without a failure.
        var unused = 0
        var due = Duration.zero
        /// Whether it waits to be read by another program, or by the next version of this one.
        var isUnread = false
    }

    private let isShared: Bool
    private var setbacks: [UInt64: Setback] = [:]
    private var nextLook = Duration.zero

    /// - Parameter isShared: Whether other programs receive the same messages, so that only the server's count includes
    ///   their failures.
    init(isShared: Bool) { self.isShared = isShared }

    /// Whether a message has failed here.
    func hasFailed(_ sequence: UInt64) -> Bool { (setbacks[sequence]?.failures ?? 0) > 0 }

    /// Returns the number of a delivery attempt. The first is 1.
    func attempt(_ delivery: StreamDelivery) -> Int {
        let setback = setbacks[delivery.sequence]
        return isShared ? max(1, delivery.count - (setback?.unused ?? 0)) : (setback?.failures ?? 0) + 1
    }

    /// Records a delivery that led to nothing, without a failure.
    mutating func addUnused(_ sequence: UInt64, at now: Duration) {
        var setback = setbacks[sequence] ?? Setback(due: now)
        setback.unused += 1
        setbacks[sequence] = setback
    }

    /// Records a failure.
    mutating func addFailure(_ sequence: UInt64, due: Duration) {
        setbacks[sequence, default: Setback()].failures += 1
        setbacks[sequence]?.due = due
    }

    /// Records that a message can't be read, unless the maximum number of others wait for the same reason.
    ///
    /// - Returns: Whether it may wait as well.
    mutating func addUnread(_ sequence: UInt64, atMost most: Int) -> Bool {
        if setbacks[sequence]?.isUnread == true { return true }
        guard setbacks.values.count(where: \.isUnread) < most else { return false }
        setbacks[sequence, default: Setback()].isUnread = true
        return true
    }

    /// The time until a message may be retried, or `nil` if it may be retried now.
    func pause(_ sequence: UInt64, at now: Duration) -> Duration? {
        guard let due = setbacks[sequence]?.due, due > now else { return nil }
        return due - now
    }

    /// Forgets a message that is done.
    mutating func remove(_ sequence: UInt64) { setbacks[sequence] = nil }

    /// Forgets messages that haven't been redelivered within ten minutes of their due time, because another program has
    /// received them.
    mutating func tick(at now: Duration) {
        if now < nextLook { return }
        nextLook = now + .seconds(60)
        setbacks = setbacks.filter { $0.value.due + .seconds(600) > now }
    }
}
