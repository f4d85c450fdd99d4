extension OutboxCore {
    /// Posts committed notifications in the center, and wakes their durable observers. `last` is the last position. If
    /// the rows have no positions yet, `last` is `nil`, and no observers are woken. `isAll` is true if no other rows
    /// were committed with `posts`.
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

    /// Wakes all observers that haven't passed the last row. A row is removed only when all observers have passed it,
    /// so observers of other types are woken too. `isStandby` is true if other programs run all observers.
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
            // A runner whose held rows were all dropped isn't in `holding`, and is woken to forget these rows.
            let isHolding = runner.status.held > 0 && runner.status.place == .running
            if isHolding || holding.contains(runner.observer) {
                runner.wakeForHeld()
            } else if runner.status.cursor < last, runner.status.place != .elsewhere {
                runner.wake()
            }
        }
    }
}
