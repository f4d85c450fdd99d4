extension OutboxCore {
    func keepHouse() async {
        for runner in runners {
            // A runner whose observation has ended must release its name, even while the store is unavailable.
            if runner.isStopping { runner.wake() }
            guard let hang = runner.status.hang(at: clock.milliseconds, after: options.callPatience.milliseconds) else {
                continue
            }
            report(
                .init(
                    .observerHangs, observer: runner.observer, id: "\(identity)-\(hang.row)",
                    "the call has not returned for \(hang.time) milliseconds"))
        }
        runKnownPartitions()
        var isAnswering = false
        let runners = runners
        do {
            let isStandby = !runners.isEmpty && runners.allSatisfy { $0.status.place == .elsewhere }
            try await wakeThoseWithRows(isStandby: isStandby)
            let wall = clock.wall
            // A program that has just started marks no observers as abandoned, because it may not have registered its
            // own observers yet.
            let mayAbandon = clock.milliseconds >= min(600_000, options.abandonedAfter.milliseconds)
            let prunes = isTimeToPrune(isStandby)
            while prunes, !Task.isCancelled {
                let (removed, abandoned) = try await store.prune(
                    storedBefore: wall - options.retention.milliseconds,
                    abandonedBefore: mayAbandon ? wall - options.abandonedAfter.milliseconds : 0, limit: 5_000)
                for name in abandoned {
                    report(
                        .init(.abandoned, observer: name, "no program has run it, so rows are no longer kept for it"))
                }
                removals.withLock { $0.notifications += removed }
                if removed < 5_000 { break }
                try await wakeThoseWithRows(isStandby: isStandby)
            }
            if !isStandby { try await expire() }
            isAnswering = true
            try await store.check()
            if noteStoreWorks() { report(.init(.storeRecovered, "the store works again")) }
        } catch {
            // Durable observers report the failure when they use the store, so idle ones are woken to use it.
            let isReportedHere = isAnswering || runners.isEmpty
            if note(storeError: "\(error)", isReported: isReportedHere) { report(.init(.storeFailed, "\(error)")) }
            if !isReportedHere { for runner in runners where !runner.status.isStoreFailing { runner.wake() } }
        }
        measure()
    }

    private func expire() async throws {
        guard let shortest = [options.deadLetterRetention, options.inboxRetention].compactMap(\.self).min() else {
            return
        }
        let now = clock.milliseconds
        let isDue = expiredAt.withLock { expiredAt in
            if let last = expiredAt, now - last < min(60_000, shortest.milliseconds / 2) { return false }
            expiredAt = now
            return true
        }
        while isDue, !Task.isCancelled {
            let expiry = try await store.expire(
                deadLetters: options.deadLetterRetention, inbox: options.inboxRetention, at: clock.wall, limit: 5_000)
            let deadLetters = expiry.deadLetters.values.reduce(0, +)
            for (name, count) in expiry.deadLetters.sorted(by: { $0.key < $1.key }) {
                let words = count == 1 ? "1 dead letter was" : "\(count) dead letters were"
                let age = options.deadLetterRetention ?? .zero
                report(.init(.deadLettersExpired, observer: name, "\(words) removed at an age of more than \(age)"))
            }
            removals.withLock { removals in
                removals.deadLetters += deadLetters
                removals.inboxEntries += expiry.inboxEntries
            }
            if max(deadLetters, expiry.inboxEntries) < 5_000 { return }
        }
    }

    /// Counts the passes on standby. Call this once in each pass.
    private func isTimeToPrune(_ isStandby: Bool) -> Bool {
        state.withLock { state in
            state.standbyPasses = isStandby ? state.standbyPasses + 1 : 0
            return state.standbyPasses % 60 == 0
        }
    }
}
