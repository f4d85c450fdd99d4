import Synchronization

/// A kind of work whose steps run on many threads at the same time. Each thread also takes steps of other activities.
protocol Activity: Sendable {
    var name: String { get }

    /// Takes one step. `slot` is the number of the thread, below ``Crew/size``. No two running threads have the same
    /// number.
    func step(in slot: Int, _ random: inout RandomNumbers)
}

/// A kind of work that waits. A few of its steps run at the same time, each in a task.
protocol WaitingActivity: Sendable {
    var name: String { get }
    func step(_ random: inout RandomNumbers) async
}

final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    func add(_ number: Int = 1) { count.add(number, ordering: .sequentiallyConsistent) }
}

final class Referee: Sendable {
    private let fouls = Mutex<[String]>([])
    private let count = Counter()

    /// The first ten violations.
    var violations: [String] { fouls.withLock { $0 } }

    var foulCount: Int { count.value }

    func expect(_ condition: Bool, _ otherwise: @autoclosure () -> String) {
        if condition { return }
        count.add()
        let foul = otherwise()
        fouls.withLock { if $0.count < 10 { $0.append(foul) } }
    }
}

final class Captured: Sendable {
    private let alive: Counter

    init(_ alive: Counter) {
        self.alive = alive
        alive.add(1)
    }

    deinit { alive.add(-1) }
}

/// A generator of random numbers that uses SplitMix64.
struct RandomNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
