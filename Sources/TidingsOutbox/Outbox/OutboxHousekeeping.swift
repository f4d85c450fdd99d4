import Tidings

extension OutboxCore {
    /// Looks for what hangs, for what nobody has told of, and for what can be removed; and has it measured.
    func keepHouse() async {
        for runner in runners {
            // One whose observation has ended has to notice it, to let go of the name: also while the store is away.
            if runner.isStopping { runner.wake() }
            guard let hang = runner.status.hang(at: clock.milliseconds, after: options.callPatience.milliseconds) else {
                continue
            }
            report(
                .init(
                    .observerHangs, observer: runner.name, id: "\(identity)-\(hang.row)",
                    "it has not returned for \(hang.time) milliseconds"))
        }
        do {
            try await wakeThoseWithRows()
            let wall = clock.wall
            // A program that was not started for a long time gets what has waited for it: it may take a while to register its observers.
            let mayAbandon = clock.milliseconds >= min(600_000, options.abandonedAfter.milliseconds)
            while !Task.isCancelled {
                let (removed, abandoned) = try await store.prune(
                    storedBefore: wall - options.retention.milliseconds,
                    abandonedBefore: mayAbandon ? wall - options.abandonedAfter.milliseconds : 0, limit: 5_000)
                for name in abandoned {
                    report(.init(.abandoned, observer: name, "no program has run it, nothing is kept for it any more"))
                }
                if removed < 5_000 { break }
                try await wakeThoseWithRows()
            }
            note(storeError: nil)
        } catch {
            // Whoever needs the store says it; and there is a next time.
            note(storeError: "\(error)")
        }
        measure()
    }
}
