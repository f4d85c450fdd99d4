import Tidings

/// Watches what happens in a race, and notes what must not.
final class Referee: Sendable {
    /// Goes forward whenever something has ended. A post that begins when the clock says at least what an observer was
    /// ended at has begun after its end.
    private let clock = Atomic(0)
    private let calls = Atomic(0)
    private let fouls = Lock<[String]>([])

    /// What the clock says.
    var time: Int { clock.load(ordering: .sequentiallyConsistent) }

    /// How many calls there were.
    var callCount: Int { calls.load(ordering: .relaxed) }

    /// What must not have happened.
    var violations: [String] { fouls.withLock { $0 } }

    func countCall() { calls.wrappingAdd(1, ordering: .relaxed) }

    func expect(_ condition: Bool, _ otherwise: @autoclosure () -> String) {
        if condition { return }
        let foul = otherwise()
        fouls.withLock { if $0.count < 100 { $0.append(foul) } }
    }

    /// The end of an observer.
    final class End: Sendable {
        private let time = Atomic(Int.max)

        /// Whether an observer with this end must not be called by a post that began at a time.
        func isBefore(_ time: Int) -> Bool { self.time.load(ordering: .sequentiallyConsistent) <= time }

        /// Notes that a cancel has just returned.
        func note(by referee: Referee) {
            // Whoever reads more than this from the clock reads it after this moment, and so after the cancel.
            time.store(referee.time + 1, ordering: .sequentiallyConsistent)
            referee.clock.wrappingAdd(1, ordering: .sequentiallyConsistent)
        }
    }
}
