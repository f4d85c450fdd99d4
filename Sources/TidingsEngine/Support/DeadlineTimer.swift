/// Calls closures when their time has come: however many wait, by one task, which sleeps until the earliest moment.
///
/// To start a task that sleeps costs as much as thousands of steps of this. So one that sleeps for a short time is left asleep as the
/// last wait ends, and the next wait finds it there; it ends by itself when it wakes up and nothing waits. A task that sleeps for longer
/// is cancelled then, and the first sleep of a task is a short one. So no task is left a second after the last wait has ended, and
/// waits that come one after another start about one task a second.
package final class DeadlineTimer<C: Clock>: Sendable where C.Duration == Duration {
    fileprivate struct State: Sendable {
        var deadlines = DeadlineQueue<C.Instant>()
        /// `nil` while there is no task.
        var sleep: Sleep?
        var lastTask = 0
    }

    fileprivate struct Sleep: Sendable {
        /// The number of the task that sleeps. No number is given twice.
        let number: Int
        var until: C.Instant
        /// Whether it is longer than a task is left asleep for nothing.
        var isLong = false
        /// The task; `nil` until it is known.
        var task: Task<Void, Never>?
    }

    /// For how long a task is left asleep when nothing waits.
    package static var patience: Duration { .seconds(1) }

    private let clock: C
    private let state = Lock(State())

    package init(_ clock: C) { self.clock = clock }

    /// How many wait.
    package var count: Int { state.withLock { $0.deadlines.count } }

    /// Has a closure called once a time is over.
    ///
    /// - Parameters:
    ///   - time: The time. A hundred years are the longest.
    ///   - whenOver: The closure, which must be short: others are called after it.
    /// - Returns: What ends the wait.
    @discardableResult
    package func start(_ time: Duration, whenOver: @escaping @Sendable () -> Void) -> DeadlineID {
        let now = clock.now
        let instant = now.advanced(by: min(time, .seconds(3_155_760_000)))
        let (id, sleep, previous) = state.withLock { state in
            let id = state.deadlines.insert(instant, whenOver)
            if let sleep = state.sleep, sleep.until <= instant { return (id, nil as Sleep?, nil as Task<Void, Never>?) }
            let previous = state.sleep?.task
            state.lastTask += 1
            state.sleep = Sleep(number: state.lastTask, until: min(instant, now.advanced(by: Self.patience)))
            return (id, state.sleep, previous)
        }
        if let sleep { begin(sleep) }
        previous?.cancel()
        return id
    }

    /// Ends a wait, unless its closure was called, or is about to be.
    package func end(_ id: DeadlineID) {
        // The closure is released after the lock.
        let (closure, task) = state.withLock { state in
            let closure = state.deadlines.remove(id)
            let isNeeded = !state.deadlines.isEmpty || state.sleep?.isLong != true
            return (closure, isNeeded ? nil : state.sleep.take()?.task)
        }
        task?.cancel()
        _ = closure
    }

    /// Starts the task of a sleep.
    private func begin(_ sleep: Sleep) {
        let task = Task.detached { await self.run(sleep) }
        let isCurrent = state.withLock { state in
            guard state.sleep?.number == sleep.number else { return false }
            state.sleep?.task = task
            return true
        }
        // Another sleep is to end before this one, or none is needed.
        if !isCurrent { task.cancel() }
    }

    /// Sleeps as long as anything waits, and no other task has taken over.
    private func run(_ first: Sleep) async {
        var next: Sleep? = first
        while let sleep = next {
            guard (try? await clock.sleep(until: sleep.until, tolerance: nil)) != nil else { return }
            let now = clock.now
            let due: [@Sendable () -> Void]
            (due, next) = state.withLock { $0.wake(from: sleep, at: now) }
            for whenOver in due { whenOver() }
        }
    }
}

extension DeadlineTimer.State {
    /// Ends a sleep.
    ///
    /// - Returns: The closures whose time has come, the earliest first, and the next sleep; `nil` if the task ends.
    mutating func wake(
        from last: DeadlineTimer.Sleep, at now: C.Instant
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
        sleep?.isLong = now.duration(to: first) > DeadlineTimer.patience
        return (due, sleep)
    }
}
