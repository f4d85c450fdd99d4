/// Restores the order of messages that are redelivered to a program that starts to read: a state machine.
///
/// When a program is lost, the server redelivers each of its messages when the message's lease has ended. The lease of
/// a message that was being handled ends later than those of the messages behind it. New messages arrive only after all
/// redelivered ones.
struct Redeliveries: ActingMachine {
    enum Action: Sendable {
        case take(@Sendable () -> Void)
    }

    var actions: [Action] = []

    /// The maximum number of messages that may be redelivered.
    private var expected = 0
    private var held: [(sequence: UInt64, take: @Sendable () -> Void)] = []
    private var lastSign = Duration.zero

    /// Holds redelivered messages until the expected number or a new message has arrived, or none arrives for a second.
    mutating func expect(_ count: Int, at now: Duration) {
        expected = count
        held = []
        lastSign = now
    }

    /// Forgets the held messages, because the connection has ended. The server redelivers them.
    mutating func disconnect() {
        expected = 0
        held = []
    }

    /// Handles a delivery now, or when those before it have arrived.
    mutating func arrive(_ delivery: StreamDelivery, at now: Duration, take: @escaping @Sendable () -> Void) {
        lastSign = now
        if expected > 0, delivery.count > 1 {
            held.append((delivery.sequence, take))
            if held.count >= expected { release() }
        } else {
            if expected > 0 { release() }
            actions.append(.take(take))
        }
    }

    mutating func tick(at now: Duration) {
        if !held.isEmpty, lastSign + .seconds(1) < now { release() }
    }

    private mutating func release() {
        actions += held.sorted { $0.sequence < $1.sequence }.map { .take($0.take) }
        disconnect()
    }
}
