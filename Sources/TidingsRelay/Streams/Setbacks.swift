/// Counts failed deliveries. The server's count also includes deliveries that called no observer, because the message
/// waited too long, or the program was lost while it handled another message.
struct Setbacks: Sendable {
    private struct Setback {
        var failures = 0
        /// The number of deliveries that neither succeeded nor failed.
        var unused = 0
        var due = Duration.zero
        /// Whether this program can't read the message, and leaves it to another program or to a later version of itself.
        var isUnread = false
    }

    private let isShared: Bool
    private var setbacks: [UInt64: Setback] = [:]
    private var nextLook = Duration.zero

    /// With `isShared`, other programs may receive a message, and only the server's count includes their failures.
    init(isShared: Bool) { self.isShared = isShared }

    func hasFailed(_ sequence: UInt64) -> Bool { (setbacks[sequence]?.failures ?? 0) > 0 }

    func attempt(_ delivery: StreamDelivery) -> Int {
        let setback = setbacks[delivery.sequence]
        return isShared ? max(1, delivery.count - (setback?.unused ?? 0)) : (setback?.failures ?? 0) + 1
    }

    mutating func addUnused(_ sequence: UInt64, at now: Duration) {
        var setback = setbacks[sequence] ?? Setback(due: now)
        setback.unused += 1
        setbacks[sequence] = setback
    }

    mutating func addFailure(_ sequence: UInt64, due: Duration) {
        setbacks[sequence, default: Setback()].failures += 1
        setbacks[sequence]?.due = due
    }

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

    /// Forgets messages whose redelivery was due ten minutes ago, because another program has probably received them.
    /// Messages that this program has fetched are kept, because their calls may take longer.
    mutating func tick(at now: Duration, keeping fetched: FetchedMessages) {
        if now < nextLook { return }
        nextLook = now + .seconds(60)
        setbacks = setbacks.filter { $0.value.due + .seconds(600) > now || fetched[$0.key] != nil }
    }
}
