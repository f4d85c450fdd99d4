/// Puts what a stream gives out again, to a program that begins to read, back into the order of the stream: a state machine.
///
/// When a program is lost, the server gives out again what it had, each message when its time is up. What the program was at work on
/// had more time than what lay behind it, so it comes later. Nothing that is new comes before all of them.
struct Redeliveries: ActingMachine {
    enum Action: Sendable {
        case take(@Sendable () -> Void)
    }

    var actions: [Action] = []

    /// How many may come again, at most.
    private var expected = 0
    private var held: [(sequence: UInt64, take: @Sendable () -> Void)] = []
    private var lastSign = Duration.zero

    /// Holds what comes again until so many have come, something new does, or nothing comes for a second.
    mutating func expect(_ count: Int, at now: Duration) {
        expected = count
        held = []
        lastSign = now
    }

    /// Forgets what is held, as the connection has ended: it was not acknowledged, and will come again.
    mutating func disconnect() {
        expected = 0
        held = []
    }

    /// Takes a delivery, now or when those before it have come.
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
