import CMachine
import Synchronization

/// Measures the time to move a cache line from one core to another.
///
/// On shared servers, this time varies severalfold from minute to minute, and so does the cost of memory that two
/// threads write. The time is therefore measured together with every workload whose threads share memory.
enum LineTransfer {
    static func contenders(parameter: Int) -> [Contender] {
        guard Machine.runsTwoThreads else { return [] }
        let players = Contender(subject: .lineTransfer, parameter: parameter) { count in
            let ball = Ball()
            return Race.run(2) { player in
                for turn in 0..<max(1, count / 2) { ball.pass(from: 2 * turn + player) }
            }
        }
        return [players]
    }

    private final class Ball: Sendable {
        private let turn = Atomic<Int>(0)

        func pass(from mine: Int) {
            while turn.load(ordering: .acquiring) != mine { machine_pause() }
            turn.store(mine + 1, ordering: .releasing)
        }
    }
}
