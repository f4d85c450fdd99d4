import Tidings

final class Referee: Sendable {
    /// A clock that advances whenever an observer has ended. Each post reads the clock before it begins. A post that
    /// read the time of an observer's end, or a later time, began after the observer's end.
    private let clock = Atomic(0)
    private let calls = Atomic(0)
    private let fouls = Lock<[String]>([])

    var time: Int { clock.load(ordering: .sequentiallyConsistent) }

    var callCount: Int { calls.load(ordering: .relaxed) }

    var violations: [String] { fouls.withLock { $0 } }

    func countCall() { calls.wrappingAdd(1, ordering: .relaxed) }

    func expect(_ condition: Bool, _ otherwise: @autoclosure () -> String) {
        if condition { return }
        let foul = otherwise()
        // Each violation is recorded once, so that repetitions don't fill the list.
        fouls.withLock { if $0.count < 100, !$0.contains(foul) { $0.append(foul) } }
    }

    final class End: Sendable {
        private let time = Atomic(Int.max)

        /// Returns whether the observer had ended when the clock showed `time`. If so, a post that read this time
        /// before it began must not call the observer.
        func isBefore(_ time: Int) -> Bool { self.time.load(ordering: .sequentiallyConsistent) <= time }

        /// Records that the observer has just ended.
        func note(by referee: Referee) {
            // The clock is read here, after the cancel, so it reaches the stored time only after the cancel.
            time.store(referee.time + 1, ordering: .sequentiallyConsistent)
            referee.clock.wrappingAdd(1, ordering: .sequentiallyConsistent)
        }
    }
}
