import Foundation
import Synchronization

/// Threads that are replaced as soon as they end.
final class Crew: Sendable {
    /// There are more threads than lanes. Each running post uses a lane to mark that it is running, so some posts find
    /// no free lane.
    static let size = 200

    let activities: [any Activity]

    /// The number of ended steps, by activity.
    let steps: [Counter]

    /// The number of threads that have begun.
    let begun = Counter()

    private let running = Counter()
    private let isEnding = Atomic(false)

    init(_ activities: [any Activity]) {
        self.activities = activities
        steps = activities.map { _ in Counter() }
    }

    func start() {
        for slot in 0..<Crew.size { startThread(in: slot) }
    }

    /// Lets the threads end without replacing them.
    func end() { isEnding.store(true, ordering: .sequentiallyConsistent) }

    var isRunning: Bool { running.value > 0 }

    private func startThread(in slot: Int) {
        running.add()
        begun.add()
        let thread = Thread { [self] in
            live(in: slot)
            if !isEnding.load(ordering: .sequentiallyConsistent) { startThread(in: slot) }
            running.add(-1)
        }
        thread.stackSize = 1 << 19
        thread.start()
    }

    private func live(in slot: Int) {
        var random = RandomNumbers(seed: UInt64.random(in: 0...UInt64.max))
        for _ in 0...random.below(1_000) {
            if isEnding.load(ordering: .sequentiallyConsistent) { return }
            let number = random.below(activities.count)
            activities[number].step(in: slot, &random)
            steps[number].add()
        }
    }
}

final class WaitingCrew: Sendable {
    /// The number of tasks for each activity.
    static let size = 4

    let activities: [any WaitingActivity]

    /// The number of ended steps, by activity.
    let steps: [Counter]

    private let isEnding = Atomic(false)

    init(_ activities: [any WaitingActivity]) {
        self.activities = activities
        steps = activities.map { _ in Counter() }
    }

    /// Runs until ``end()`` is called and the last steps have ended.
    func run() async {
        await withTaskGroup { group in
            for (activity, steps) in zip(activities, steps) {
                for _ in 0..<WaitingCrew.size {
                    group.addTask { [self] in
                        var random = RandomNumbers(seed: UInt64.random(in: 0...UInt64.max))
                        while !isEnding.load(ordering: .sequentiallyConsistent) {
                            await activity.step(&random)
                            steps.add()
                            // Without this, a step that doesn't suspend would keep its thread from other tasks.
                            await Task.yield()
                        }
                    }
                }
            }
        }
    }

    func end() { isEnding.store(true, ordering: .sequentiallyConsistent) }
}
