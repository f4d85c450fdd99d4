// How a runner learns that there is something for it.

extension OutboxCore {
    /// Tells of rows that are committed.
    ///
    /// - Parameters:
    ///   - posts: The rows.
    ///   - last: The last position; `nil` if they have none yet: then the store tells when they have.
    ///   - isAll: Whether no other rows were committed with them.
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

    /// Has the durable observers look for rows that want some of a name; or all, if the names are not known.
    ///
    /// Others are not woken: there may be many, and each would ask the store. They pass over them when they are asked for all together.
    func wake(wanting names: Set<String>?) {
        let wanting = state.withLock { state in
            names.map { $0.flatMap { state.byName[$0] ?? [] } } ?? Array(state.runners.values)
        }
        for runner in wanting { runner.wake() }
    }

    /// The last position that a runner may have to come to.
    func newest(for runner: ObserverRunner) -> Int64 { state.withLock { $0.places.newest(of: runner.consumer.names) } }

    /// Wakes the durable observers for which there may be something of which nobody has told them: rows behind their cursors, also of other
    /// types, as nothing is removed that they have not passed; and what was sent again, perhaps by another program. For all of them
    /// at once, so that one that has nothing to do costs nothing.
    ///
    /// - Parameter isStandby: Whether other programs run all observers of this one.
    /// - Throws: What the database says.
    func wakeThoseWithRows(isStandby: Bool = false) async throws {
        let last = try await store.last()
        let holding = isStandby ? [] : try await store.observersWithHeldRows()
        let runners = state.withLock { state in
            state.places.note(last)
            return Array(state.runners.values)
        }
        for runner in runners {
            if holding.contains(runner.name) {
                runner.wakeForHeld()
            } else if runner.status.cursor < last, runner.status.place != .elsewhere {
                runner.wake()
            }
        }
    }
}
