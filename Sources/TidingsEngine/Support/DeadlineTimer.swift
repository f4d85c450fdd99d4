/// A timer for any number of waits. A single task sleeps until the earliest deadline. Instants are durations since the
/// timer was created, so that one copy of the code serves all clocks.
///
/// Starting a task that sleeps costs as much as thousands of operations of this type. So when the last wait ends, a
/// task whose sleep is short stays asleep, and the next wait reuses it. A task with a longer sleep is cancelled. The
/// first sleep of a task is always short, so consecutive waits start about one task a second. A task ends if nothing is
/// waiting when it wakes up.
package final class DeadlineTimer: Sendable {
    fileprivate struct State: ~Copyable, Sendable {
        var deadlines = DeadlineQueue()
        var sleep: Sleep?
        var lastTask = 0
    }

    /// A sleep of a task. Each task has its own number. `isLong` is whether the sleep is longer than ``patience``, so
    /// that the task is cancelled when nothing is waiting.
    fileprivate typealias Sleep = (number: Int, until: Duration, isLong: Bool, task: Task<Void, Never>?)

    package static var patience: Duration { .seconds(1) }

    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (_ until: Duration) async throws -> Void
    private let state = Lock(State())

    package init<C: Clock<Duration>>(_ clock: C) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    package var count: Int { state.withLock { $0.deadlines.count } }

    /// Calls a closure after `time`, which is limited to a hundred years. The closure must be short, because it delays
    /// other closures that are due.
    @discardableResult
    package func start(_ time: Duration, whenOver: @escaping @Sendable () -> Void) -> DeadlineID {
        let now = elapsed()
        let instant = now + min(time, .seconds(3_155_760_000))
        let (id, sleep, previous) = state.withLock { state in
            let id = state.deadlines.insert(instant, whenOver)
            if let sleep = state.sleep, sleep.until <= instant { return (id, nil as Sleep?, nil as Task<Void, Never>?) }
            let previous = state.sleep?.task
            state.lastTask += 1
            state.sleep = (state.lastTask, until: min(instant, now + Self.patience), isLong: false, task: nil)
            return (id, state.sleep, previous)
        }
        if let sleep { begin(sleep) }
        previous?.cancel()
        return id
    }

    /// Ends a wait, unless its closure has been called or is about to be.
    package func end(_ id: DeadlineID) {
        // `closure` is released after the unlock.
        let (closure, task) = state.withLock { state in
            let closure = state.deadlines.remove(id)
            let isNeeded = !state.deadlines.isEmpty || state.sleep?.isLong != true
            return (closure, isNeeded ? nil : state.sleep.take()?.task)
        }
        task?.cancel()
        _ = closure
    }

    private func begin(_ sleep: Sleep) {
        let task = Task.detached { await self.run(sleep) }
        let isCurrent = state.withLock { state in
            // `state.sleep?.task = task` wouldn't release an earlier task, as CONTRIBUTING.md explains.
            guard var current = state.sleep, current.number == sleep.number else { return false }
            current.task = task
            state.sleep = current
            return true
        }
        // A shorter sleep has replaced this one, or no sleep is needed.
        if !isCurrent { task.cancel() }
    }

    private func run(_ first: Sleep) async {
        var next: Sleep? = first
        while let last = next {
            guard (try? await sleep(last.until)) != nil else { return }
            let now = elapsed()
            let due: [@Sendable () -> Void]
            (due, next) = state.withLock { $0.wake(from: last, at: now) }
            for whenOver in due { whenOver() }
        }
    }
}

extension DeadlineTimer.State {
    /// Returns the due closures, the earliest first, and the next sleep; `nil` if the task has to end.
    mutating func wake(
        from last: DeadlineTimer.Sleep, at now: Duration
    ) -> ([@Sendable () -> Void], DeadlineTimer.Sleep?) {
        guard sleep?.number == last.number else { return ([], nil) }
        var due: [@Sendable () -> Void] = []
        while let first = deadlines.first, first <= now {
            if let whenOver = deadlines.removeFirst() { due.append(whenOver) }
        }
        guard let first = deadlines.first else {
            sleep = nil
            return (due, nil)
        }
        sleep?.until = first
        sleep?.isLong = first - now > DeadlineTimer.patience
        return (due, sleep)
    }
}
