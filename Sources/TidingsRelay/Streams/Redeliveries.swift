/// Sorts redelivered messages into the order of the stream. The server redelivers each message of a lost program some
/// time after the message's last heartbeat, so these messages can arrive out of order. New messages arrive after them.
struct Redeliveries: ActingMachine {
    var actions: [@Sendable () -> Void] = []
    private var expected = 0
    private var held: [(sequence: UInt64, take: @Sendable () -> Void)] = []
    private var lastSign = Duration.zero

    /// Holds redelivered messages until `count` have arrived, a new message arrives, or nothing arrives for a second.
    mutating func expect(_ count: Int, at now: Duration) {
        expected = count
        held = []
        lastSign = now
    }

    mutating func disconnect() {
        expected = 0
        held = []
    }

    mutating func arrive(_ delivery: StreamDelivery, at now: Duration, take: @escaping @Sendable () -> Void) {
        lastSign = now
        if expected > 0, delivery.count > 1 {
            held.append((delivery.sequence, take))
            if held.count >= expected { release() }
        } else {
            if expected > 0 { release() }
            actions.append(take)
        }
    }

    mutating func tick(at now: Duration) {
        if !held.isEmpty, lastSign + .seconds(1) < now { release() }
    }

    private mutating func release() {
        actions += held.sorted { $0.sequence < $1.sequence }.map(\.take)
        disconnect()
    }
}
