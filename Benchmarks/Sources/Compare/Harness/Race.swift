import CMachine
import Foundation
import Synchronization

final class Race: Sendable {
    private struct Finish: Sendable {
        var began = ContinuousClock.now
        var ended = ContinuousClock.now
        var switches: Int64 = 0
    }

    private let count: Int
    private let ready = Atomic<Int>(0)
    private let finishes = Mutex<[Finish]>([])

    /// Whether there are more threads than cores, so that some thread always waits for a core.
    private let isCrowded: Bool

    private init(count: Int) {
        self.count = count
        isCrowded = count > Machine.cores
    }

    /// Runs `work` in `count` threads at the same time. Measures from the first start to the last end. `work` receives
    /// the index of its thread.
    static func run(_ count: Int, work: @escaping @Sendable (Int) -> Void) -> Sample {
        let race = Race(count: count)
        let group = DispatchGroup()
        for (index, racer) in Racer.first(count).enumerated() {
            group.enter()
            racer.run {
                race.run(index, work)
                group.leave()
            }
        }
        group.wait()
        return race.sample
    }

    private func run(_ index: Int, _ work: (Int) -> Void) {
        ready.add(1, ordering: .acquiringAndReleasing)
        while ready.load(ordering: .acquiring) < count {
            if isCrowded { sched_yield() } else { machine_pause() }
        }
        let switches = machine_switches_of_thread()
        var finish = Finish()
        StackDepth.vary { work(index) }
        finish.ended = .now
        finish.switches = machine_switches_of_thread() - switches
        finishes.withLock { [finish] in $0.append(finish) }
    }

    private var sample: Sample {
        let finishes = finishes.withLock { $0 }
        let starts = finishes.map(\.began)
        guard let first = starts.min(), let last = starts.max(), let ended = finishes.map(\.ended).max() else {
            preconditionFailure("a race has threads")
        }
        let elapsed = first.duration(to: ended).nanoseconds
        // A thread begins late if it lost its core just before the start.
        let wasLate = first.duration(to: last).nanoseconds > 0.05 * elapsed
        let wasInterrupted = finishes.contains { $0.switches > 0 }
        return Sample(value: elapsed, wasDisturbed: !isCrowded && (wasLate || wasInterrupted))
    }
}
