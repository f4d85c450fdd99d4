import Foundation
import Tidings
import TidingsConformance

/// Threads that concurrently post, add observers and cancel observers, with one notification type or with many.
final class Race: Sendable {
    static let threads = 8
    /// The number of operations of each thread. `TIDINGS_RACE_OPERATIONS` sets it.
    static let operations =
        ProcessInfo.processInfo.environment["TIDINGS_RACE_OPERATIONS"].flatMap(Int.init) ?? 20_000

    let center: any TypedNotificationCenter
    let tags: [any ShotTag.Type]
    let operations: Int
    let targets = (0..<4).map { _ in Target() }
    let owners = (0..<Race.threads).map { _ in Target() }
    let referee = Referee()
    let closures = Census()
    /// The observers that any thread may end.
    let board = Lock<[Entrant]>([])

    private let posts = Atomic(0)
    private let calls = Atomic(0)

    init(on center: any TypedNotificationCenter, tags: [any ShotTag.Type], operations: Int = Race.operations) {
        self.center = center
        self.tags = tags
        self.operations = operations
    }

    func run() async -> [String] {
        let steady = tags.map { SteadyPair(in: self, of: $0) }
        await onThreads(Self.threads) { [self] thread in
            var runner = Runner(in: self, thread: thread)
            for _ in 0..<operations { runner.step() }
            runner.finish()
        }
        board.withLock { $0 }.forEach { $0.cancel() }
        let (posts, calls) = (posts.load(ordering: .relaxed), calls.load(ordering: .relaxed))
        let steadyCalls = steady.reduce(0) { $0 + $1.callCount }
        referee.expect(calls == referee.callCount, "posts returned \(calls) calls, but \(referee.callCount) were made")
        referee.expect(steadyCalls == 2 * posts, "\(posts) posts called the steady observers \(steadyCalls) times")
        referee.expect(closures.alive == 0, "\(closures.alive) closures are left")
        for tag in tags {
            let found = post(tag, thread: 0, serial: .max)
            referee.expect(found == 2, "\(found) observers are left, expected 2")
        }
        withExtendedLifetime(steady) {}
        return referee.violations
    }

    @discardableResult
    func post<Tag: ShotTag>(_ tag: Tag.Type, thread: Int, serial: Int) -> Int {
        let target = targets[serial & 3]
        posts.wrappingAdd(1, ordering: .relaxed)
        let found = center.post(Shot<Tag>(sender: target, time: referee.time, thread: thread, serial: serial))
        calls.wrappingAdd(found, ordering: .relaxed)
        return found
    }
}
