/// Waiting until durable observers have handled the rows stored so far.
extension OutboxCore {
    func whenHandled(
        by runner: ObserverRunner, for wait: ObjectIdentifier?, _ resume: @escaping @Sendable () -> Void
    ) {
        guard let number = runner.status.add(wait, resume) else { return }
        Task.detached { [weak self, store, clock, options] in
            // An unavailable store can't report the last position, so the query is repeated until the wait ends. If
            // the outbox is released, its runners end, which ends the wait.
            while self != nil, runner.status.isPending(wait: number) {
                if let last = try? await store.last() {
                    runner.wake()
                    runner.status.whenHandled(last, forWait: number)
                    return
                }
                try? await clock.sleep(for: options.pollInterval)
            }
        }
    }

    /// Calls `resume` when a runner and the other runners of its consumer have handled all rows stored so far. A claim
    /// may add runners, so the runners are listed again after each wait. Runners in `known` are skipped.
    func whenHandled(
        bySharing first: ObserverRunner, besides known: [ObserverRunner] = [], for wait: ObjectIdentifier?,
        _ resume: @escaping @Sendable () -> Void
    ) {
        let next = runners(sharing: first).filter { runner in !known.contains { $0 === runner } }
        if next.isEmpty { return resume() }
        let left = Lock(next.count)
        for runner in next {
            whenHandled(by: runner, for: wait) { [weak self] in
                let isLast = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                guard isLast else { return }
                guard let self else { return resume() }
                self.whenHandled(bySharing: first, besides: known + next, for: wait, resume)
            }
        }
    }

    func drain(within limit: Duration) async -> [DurableObserverStatus] {
        let over = Flag()
        let all = runners
        let names = Set(all.map(\.name))
        // The wait for a requested partition includes the other partitions of its consumer. These partitions are listed
        // only if the requested partition has ended.
        let runners = all.filter { runner in
            runner.partition < runner.requested
                || !names.contains(Partitions.name(runner.observer, runner.partition % runner.requested))
        }
        let pending = Lock(Set(runners.map(\.name)))
        let wait = ObjectIdentifier(over)
        let work = Task.detached {
            await self.committed.drain()
            for runner in runners {
                self.whenHandled(bySharing: runner, for: wait) {
                    let isLast = pending.withLock { pending in
                        pending.remove(runner.name)
                        return pending.isEmpty
                    }
                    if isLast { over.set() }
                }
            }
            if runners.isEmpty { over.set() }
            if Task.isCancelled { self.giveUp(wait, of: runners) }
        }
        await over.wait(within: limit, clock)
        work.cancel()
        let unfinished = pending.withLock { $0 }
        giveUp(wait, of: runners.filter { unfinished.contains($0.name) })
        let left = Set(unfinished.map(Partitions.observer))
        return statuses.filter { left.contains($0.name) }
    }

    private func giveUp(_ wait: ObjectIdentifier, of requested: [ObserverRunner]) {
        for first in requested {
            for runner in runners(sharing: first) { runner.status.giveUp(wait) }
        }
    }
}
