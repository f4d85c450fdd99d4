/// Restores the order of the stream for messages that it redelivers to a program that starts to read: a state machine.
///
/// When a program is lost, the server redelivers its messages, each when its time limit has passed. A message that the
/// program was handling had more time than the ones behind it, so it is redelivered later. No new message arrives
/// before all of them.
struct Redeliveries: ActingMachine {
    enum Action: Sendable {
        case take(@Sendable () -> Void)
    }

    var actions: [Action] = []

    /// The maximum number of messages that may be redelivered.
    private var expected = 0
    private var held: [(sequence: UInt64, take: @Sendable () -> Void)] = []
    private var lastSign = Duration.zero

    /// Holds redelivered messages until the expected number has arrived, a new message arrives, or no message arrives
    /// for a second.
    mutating func expect(_ count: Int, at now: Duration) {
        expected = count
        held = []
        lastSign = now
    }

    /// Forgets the held messages, because the connection has ended. They weren't acknowledged, and will be redelivered.
    mutating func disconnect() {
        expected = 0
        held = []
    }

    /// Handles a delivery, either now or when those before it have arrived.
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
