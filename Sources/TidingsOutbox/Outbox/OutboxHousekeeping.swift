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
        var isAnswering = false
        let runners = runners
        do {
            let isStandby = !runners.isEmpty && runners.allSatisfy { $0.status.place == .elsewhere }
            try await wakeThoseWithRows(isStandby: isStandby)
            let wall = clock.wall
            // A program that was not started for a long time gets what has waited for it: it may take a while to register its observers.
            let mayAbandon = clock.milliseconds >= min(600_000, options.abandonedAfter.milliseconds)
            // The programs that run the observers prune. A standby does so seldom, in case all of them are gone.
            while !Task.isCancelled, isTimeToPrune(isStandby) {
                let (removed, abandoned) = try await store.prune(
                    storedBefore: wall - options.retention.milliseconds,
                    abandonedBefore: mayAbandon ? wall - options.abandonedAfter.milliseconds : 0, limit: 5_000)
                for name in abandoned {
                    report(.init(.abandoned, observer: name, "no program has run it, nothing is kept for it any more"))
                }
                if removed < 5_000 { break }
                try await wakeThoseWithRows(isStandby: isStandby)
            }
            isAnswering = true
            try await store.check()
            if noteStoreWorks() { report(.init(.storeRecovered, "the store works again")) }
        } catch {
            // An observer that needs the store reports it, and one that is idle has to find out. It would not learn of a failure in the background.
            let isReportedHere = isAnswering || runners.isEmpty
            if note(storeError: "\(error)", isReported: isReportedHere) { report(.init(.storeFailed, "\(error)")) }
            if !isReportedHere { for runner in runners where !runner.status.isStoreFailing { runner.wake() } }
        }
        measure()
    }

    private func isTimeToPrune(_ isStandby: Bool) -> Bool {
        state.withLock { state in
            state.standbyPasses = isStandby ? state.standbyPasses + 1 : 0
            return state.standbyPasses % 60 == 0
        }
    }
}
