extension OutboxCore {
    /// Announces committed rows. `last` is `nil` if the rows have no positions yet, which the store reports later. If
    /// `isAll` is true, no other rows were committed with them.
    func announce(_ posts: [CommittedPost], last: Int64?, isAll: Bool = true) {
        if let last { state.withLock { $0.places.note(posts, last: last, isAll: isAll) } }
        committed.append(posts)
        if last == nil { return }
        if !isAll { return wake(wanting: nil) }
        var (names, newest): (Set<String>, String?) = ([], nil)
        for post in posts where post.announcement.name != newest {
            newest = post.announcement.name
            names.insert(post.announcement.name)
        }
        wake(wanting: names)
    }

    /// Wakes the durable observers that want rows of the given names, or all observers if the names aren't known.
    ///
    /// Each woken observer queries the store. The others skip these rows in their next common check.
    func wake(wanting names: Set<String>?) {
        let wanting = state.withLock { state in
            names.map { $0.flatMap { state.byName[$0] ?? [] } } ?? Array(state.runners.values)
        }
        for runner in wanting { runner.wake() }
    }

    func newest(for runner: ObserverRunner) -> Int64 { state.withLock { $0.places.newest(of: runner.consumer.names) } }

    func snapshot(of runner: ObserverRunner) -> DurableObserverStatus {
        runner.status.snapshot(runner.name, newest: newest(for: runner), now: clock.milliseconds)
    }

    /// Wakes the durable observers that may have unannounced work: rows after their cursors, or redelivered dead
    /// letters. In a standby, other programs run all observers.
    ///
    /// The rows include those that have just become due, and rows of other types, because a row is only removed when
    /// all observers have passed it. One check serves all observers, so idle ones cost nothing.
    func wakeThoseWithRows(isStandby: Bool = false) async throws {
        let count = nextDue.count
        let (last, next) = try await store.moveDue(at: clock.wall)
        nextDue.set(next, since: count)
        let holding = isStandby ? [] : try await store.observersWithHeldRows()
        let runners = state.withLock { state in
            state.places.note(last)
            return Array(state.runners.values)
        }
        for runner in runners {
            // A runner with held rows must notice when all of them were dropped.
            let isHolding = runner.status.held > 0 && runner.status.place == .running
            if isHolding || holding.contains(runner.observer) {
                runner.wakeForHeld()
            } else if runner.status.cursor < last, runner.status.place != .elsewhere {
                runner.wake()
            }
        }
    }
}
