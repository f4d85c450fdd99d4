import Foundation
import TestSupport
import Tidings
import TidingsConformance

/// Threads that concurrently post, and add, cancel, release and drain asynchronous observers.
final class AsynchronousRace: Sendable {
    static let threads = 8
    /// The number of operations of each thread. `TIDINGS_RACE_OPERATIONS` sets it.
    static let operations =
        ProcessInfo.processInfo.environment["TIDINGS_RACE_OPERATIONS"].flatMap(Int.init) ?? 5_000

    let center: any TypedNotificationCenter
    let asynchronously: any AsynchronousObserving
    let referee = Referee()
    let closures = Census()
    let targets = (0..<4).map { _ in Target() }
    let actors = (0..<4).map { _ in Runway() }
    private let operations: Int
    private let patience: Duration
    private let posts = Atomic(0)

    actor Runway {}

    init(
        on center: any TypedNotificationCenter, asynchronously: any AsynchronousObserving = PackageObserving(),
        operations: Int = AsynchronousRace.operations, patience: Duration = .seconds(600)
    ) {
        self.center = center
        self.asynchronously = asynchronously
        self.operations = operations
        self.patience = patience
    }

    func run() async -> [String] {
        let steady = SteadyObservers(in: self)
        let draining = BegunDrains()
        await onThreads(Self.threads) { [self] thread in
            var runner = AsynchronousRunner(in: self, thread: thread, draining)
            for _ in 0..<operations { runner.step() }
            runner.finish()
        }
        await draining.finish()
        let posts = posts.load(ordering: .relaxed)
        await wait { steady.isComplete(posts) }
        steady.check(posts)
        await wait { self.closures.alive == 0 }
        referee.expect(closures.alive == 0, "\(closures.alive) closures are left")
        return referee.violations
    }

    private func wait(until condition: () -> Bool) async {
        let limit = ContinuousClock.now + patience
        while !condition(), ContinuousClock.now < limit { await Task.yield() }
    }

    func post(thread: Int, serial: Int) {
        posts.wrappingAdd(1, ordering: .relaxed)
        center.post(Shot<Tag0>(sender: targets[serial & 3], time: referee.time, thread: thread, serial: serial))
    }
}
