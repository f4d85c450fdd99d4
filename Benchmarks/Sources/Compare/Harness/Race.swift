import CMachine
import Foundation
import Synchronization

/// Work that several threads begin at the same moment, each on a core of its own as far as there are any.
final class Race: Sendable {
    private struct Finish: Sendable {
        var began = ContinuousClock.now
        var ended = ContinuousClock.now
        var switches: Int64 = 0
    }

    private let count: Int
    private let ready = Atomic<Int>(0)
    private let finishes = Mutex<[Finish]>([])

    private init(count: Int) { self.count = count }

    /// Runs work on threads of its own and measures from the first start to the last end.
    ///
    /// - Parameters:
    ///   - count: How many threads.
    ///   - work: The work, with the number of its thread.
    static func run(_ count: Int, work: @escaping @Sendable (Int) -> Void) -> Sample {
        let race = Race(count: count)
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            Thread {
                race.run(index, work)
                group.leave()
            }
            .start()
        }
        group.wait()
        return race.sample
    }

    /// More threads than cores always wait for one.
    private var isCrowded: Bool { count > machine_core_count() }

    private func run(_ index: Int, _ work: (Int) -> Void) {
        machine_pin(Int32(index))
        ready.add(1, ordering: .acquiringAndReleasing)
        while ready.load(ordering: .acquiring) < count {
            if isCrowded { sched_yield() } else { machine_pause() }
        }
        let switches = machine_switches_of_thread()
        var finish = Finish()
        work(index)
        finish.ended = .now
        finish.switches = machine_switches_of_thread() - switches
        finishes.withLock { [finish] in $0.append(finish) }
    }

    private var sample: Sample {
        let finishes = finishes.withLock { $0 }
        guard let began = finishes.map(\.began).min(), let ended = finishes.map(\.ended).max() else {
            preconditionFailure("a race has threads")
        }
        let switches = finishes.map(\.switches).reduce(0, +)
        return Sample(value: began.duration(to: ended).nanoseconds, wasDisturbed: !isCrowded && switches > 0)
    }
}
