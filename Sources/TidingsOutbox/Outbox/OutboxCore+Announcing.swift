// How a runner learns that there is something for it.

extension OutboxCore {
    /// Tells of rows that are committed.
    ///
    /// - Parameters:
    ///   - posts: The rows.
    ///   - last: The last position, if it is known.
    ///   - isAll: Whether no other rows were committed with them.
    func announce(_ posts: [CommittedPost], last: Int64?, isAll: Bool = true) {
        if let last { state.withLock { $0.places.note(posts, last: last, isAll: isAll) } }
        committed.append(posts)
        if !isAll { return wake() }
        // Those that want none of them are not woken: there may be many, and each would ask the store. They pass over them when they look
        // by themselves.
        let wanting = state.withLock { state in
            var wanting: [ObserverRunner] = []
            var (names, last): (Set<String>, String?) = ([], nil)
            for post in posts {
                let name = post.announcement.name
                guard name != last, names.insert(name).inserted else { continue }
                last = name
                wanting += state.byName[name] ?? []
            }
            return wanting
        }
        for runner in wanting { runner.wake() }
    }

    /// The last position that a runner may have to come to.
    func newest(for runner: ObserverRunner) -> Int64 { state.withLock { $0.places.newest(of: runner.consumer.names) } }

    /// - Returns: Whether something was stored of which nobody has told.
    func note(newest last: Int64) -> Bool {
        state.withLock { state in
            state.places.note(last)
        }
    }
}
