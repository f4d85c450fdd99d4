/// The messages that this program received and didn't finish: how often they failed, and when they are due again.
///
/// The server's delivery count is less precise. It includes deliveries that called no observer, because the messages
/// waited too long or their program was lost while it handled others.
struct Setbacks: Sendable {
    private struct Setback {
        var failures = 0
        /// The number of deliveries that neither succeeded nor failed.
        var unused = 0
        var due = Duration.zero
        /// Whether another program, or the next version of this one, has to read it.
        var isUnread = false
    }

    private let isShared: Bool
    private var setbacks: [UInt64: Setback] = [:]
    private var nextLook = Duration.zero

    /// - Parameter isShared: Whether other programs receive the same messages. Only the server's count includes their
    ///   failures.
    init(isShared: Bool) { self.isShared = isShared }

    func hasFailed(_ sequence: UInt64) -> Bool { (setbacks[sequence]?.failures ?? 0) > 0 }

    func attempt(_ delivery: StreamDelivery) -> Int {
        let setback = setbacks[delivery.sequence]
        return isShared ? max(1, delivery.count - (setback?.unused ?? 0)) : (setback?.failures ?? 0) + 1
    }

    /// Records a delivery that neither succeeded nor failed.
    mutating func addUnused(_ sequence: UInt64, at now: Duration) {
        var setback = setbacks[sequence] ?? Setback(due: now)
        setback.unused += 1
        setbacks[sequence] = setback
    }

    mutating func addFailure(_ sequence: UInt64, due: Duration) {
        setbacks[sequence, default: Setback()].failures += 1
        setbacks[sequence]?.due = due
    }

    /// Records that a message can't be read, and returns whether it may wait. Only a limited number of them do.
    mutating func addUnread(_ sequence: UInt64, atMost most: Int) -> Bool {
        if setbacks[sequence]?.isUnread == true { return true }
        guard setbacks.values.count(where: \.isUnread) < most else { return false }
        setbacks[sequence, default: Setback()].isUnread = true
        return true
    }

    func pause(_ sequence: UInt64, at now: Duration) -> Duration? {
        guard let due = setbacks[sequence]?.due, due > now else { return nil }
        return due - now
    }

    mutating func remove(_ sequence: UInt64) { setbacks[sequence] = nil }

    /// Forgets messages that weren't redelivered within ten minutes of their due time. Another program has received
    /// them.
    mutating func tick(at now: Duration) {
        if now < nextLook { return }
        nextLook = now + .seconds(60)
        setbacks = setbacks.filter { $0.value.due + .seconds(600) > now }
    }
}
