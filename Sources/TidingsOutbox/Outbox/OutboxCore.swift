typealias OutboxMetricsSink = @Sendable ([DurableObserverStatus], Bool) -> Void

final class OutboxCore: Sendable {
    let center: any TypedNotificationCenter
    let native: NativeNotificationCenter?
    /// The center of the durable observers: `center`, or a new native center if `center` doesn't list its observers.
    let base: any TypedNotificationCenter
    let store: any OutboxStore
    private let pages: SharedPages
    let options: OutboxOptions
    let clock: ElapsedClock
    let identity: String
    private let openedAt: Int64
    let committed = CommittedPosts()
    let nextDue: NextDue
    let removals = Lock(OutboxRemovals())
    /// The time at which expired entries were last removed, in milliseconds of the clock.
    let expiredAt = Lock<Int64?>(nil)
    let relays = Lock((posts: [String: PostPastRelay](), senders: Set<String>()))
    let deliveries = WaitingDeliveries()

    struct State {
        var runners: [String: ObserverRunner] = [:]
        var tasks: [String: Task<Void, Never>] = [:]
        var partitions: [String: (count: Int, make: @Sendable (Int) -> ObserverRunner)] = [:]
        var housekeeping: Task<Void, Never>?
        var byName: [String: [ObserverRunner]] = [:]
        var places: NewestPlaces
        var storeError: String?
        var isStoreErrorReported = false
        var standbyPasses = 0
        var metrics: [OutboxMetricsSink] = []
        var isFinished = false

        mutating func forget(_ runner: ObserverRunner) {
            for name in runner.consumer.names { byName[name]?.removeAll { $0 === runner } }
        }
    }
    let state: Lock<State>

    init(
        _ center: any TypedNotificationCenter, _ store: any OutboxStore, _ options: OutboxOptions, _ clock: ElapsedClock
    ) async throws {
        let (identity, last) = try await store.prepare()
        self.center = center
        native = center as? NativeNotificationCenter
        base = center.listing == nil ? NativeNotificationCenter() : center
        self.store = store
        pages = SharedPages(of: store)
        self.options = options
        self.clock = clock
        self.identity = identity
        openedAt = last
        nextDue = NextDue(clock)
        state = Lock(State(places: NewestPlaces(last)))
        await store.start { [weak self] names in
            if names == nil { self?.runKnownPartitions() }
            self?.wake(wanting: names)
        }
        let task = Task.detached { [weak self, nextDue] in
            while !Task.isCancelled {
                await nextDue.pause(atMost: options.pollInterval)
                guard !Task.isCancelled, let self else { return }
                await self.keepHouse()
            }
        }
        state.withLock { $0.housekeeping = task }
    }

    var isFinished: Bool { state.withLock { $0.isFinished } }
    var runners: [ObserverRunner] { state.withLock { Array($0.runners.values) } }
    func runners(of name: String) -> [ObserverRunner] { state.withLock { $0.byName[name] ?? [] } }

    /// Returns a runner, and the runners that share its consumer because the table has more partitions than requested.
    func runners(sharing first: ObserverRunner) -> [ObserverRunner] {
        state.withLock { state in
            // The number of partitions is unknown after partition 0 has ended.
            let count = state.partitions[first.observer]?.count ?? Partitions.limit
            let others = Partitions.children(of: first.partition, dividing: first.requested, into: count)
                .compactMap { state.runners[Partitions.name(first.observer, $0)] }
            return [first] + others.filter { $0.consumer.identity === first.consumer.identity }
        }
    }

    var statuses: [DurableObserverStatus] {
        let (runners, places) = state.withLock { ($0.runners, $0.places) }
        let now = clock.milliseconds
        return Dictionary(grouping: runners.values, by: \.observer).map { name, runners in
            DurableObserverStatus(
                runners.map {
                    $0.status.snapshot(name, newest: places.newest(of: $0.consumer.names), now: now)
                })
        }
        .sorted { $0.name < $1.name }
    }

    func report(_ fault: OutboxFault) { center.post(fault) }

    func wakeForHeld(_ name: String) {
        for runner in runners where runner.observer == name { runner.wakeForHeld() }
    }

    // MARK: Observers

    /// Starts an observer with a consumer for each requested partition. If the table has more partitions, several of
    /// them share a consumer. If the name is invalid or taken, posts a fault, and returns runners that have ended.
    func run(_ name: String, _ consumers: [RowConsumer], from beginning: StartPosition, delays: RetryPolicy)
        -> [ObserverRunner]
    {
        let count = consumers.count
        let make: @Sendable (Int, ObserverRunner?) -> ObserverRunner = {
            [weak self, store, pages, options, clock, identity, openedAt] index, first in
            ObserverRunner(
                name, partition: index, of: count, after: first, consumers[index % count], store, pages, options, clock,
                beginningAt: beginning == .new ? openedAt : 0, delays: delays, identity: identity,
                onPartitions: { self?.run(partitions: $0, of: name) }, report: { self?.report($0) })
        }
        let first = make(0, nil)
        let all = [first] + (1..<count).map { make($0, first) }
        let reason =
            OutboxNames.refusal(ofObserver: name)
            ?? first.consumer.names.lazy.compactMap { OutboxNames.refusal(ofType: $0) }.first
            ?? register(all)
        if let reason { report(.init(.invalidName, observer: name, reason)) }
        if reason != nil || isFinished {
            for runner in all {
                runner.stop()
                runner.status.set(.ended)
            }
            return all
        }
        state.withLock { $0.partitions[name] = (count, { make($0, first) }) }
        for runner in all { start(runner) }
        return all
    }

    private func run(partitions count: Int, of observer: String) {
        let new: [ObserverRunner] = state.withLock { state in
            guard let known = state.partitions[observer], known.count < count, !state.isFinished else { return [] }
            state.partitions[observer]?.count = count
            return (known.count..<count).map(known.make)
        }
        for runner in new where register([runner]) == nil { start(runner) }
    }

    func runKnownPartitions() {
        for observer in state.withLock({ Array($0.partitions.keys) }) {
            if let count = store.knownPartitions(of: observer) { run(partitions: count, of: observer) }
        }
    }

    private func start(_ runner: ObserverRunner) {
        let task = Task.detached { [weak self] in
            await runner.run()
            if self?.remove(runner) == true { await self?.store.leave(runner.observer) }
        }
        state.withLock { if $0.runners[runner.name] === runner { $0.tasks[runner.name] = task } }
    }

    /// Registers runners. Returns the reason if the name can't be used. If the outbox has finished, the runners are
    /// stopped instead, because `end()` doesn't find runners that aren't registered. Stopped runners end when they
    /// start.
    private func register(_ runners: [ObserverRunner]) -> String? {
        state.withLock { state in
            if state.isFinished {
                for runner in runners { runner.stop() }
                return nil
            }
            // Only the first partition is checked, because the partitions of an observer end one after another.
            for runner in runners where runner.partition == 0 && isRunning(runner.name, state) {
                return "there is a durable observer named \"\(runner.name)\" already"
            }
            for runner in runners {
                // The observation of the old runner has ended or is ending. A stopped runner releases its lease.
                if let old = state.runners[runner.name] {
                    old.stop()
                    state.forget(old)
                }
                state.runners[runner.name] = runner
                for wanted in runner.consumer.names { state.byName[wanted, default: []].append(runner) }
            }
            return nil
        }
    }

    private func isRunning(_ name: String, _ state: State) -> Bool {
        state.runners[name].map { !$0.status.isOver && $0.consumer.isActive() } ?? false
    }

    func isTaken(_ name: String) -> Bool { state.withLock { isRunning(name, $0) } }

    private func remove(_ runner: ObserverRunner) -> Bool {
        state.withLock { state in
            guard state.runners[runner.name] === runner else { return false }
            state.runners[runner.name] = nil
            state.forget(runner)
            state.tasks[runner.name] = nil
            if runner.partition == 0 { state.partitions[runner.observer] = nil }
            return !state.runners.values.contains { $0.observer == runner.observer }
        }
    }

    func task(of name: String) -> Task<Void, Never>? { state.withLock { $0.tasks[name] } }

    // MARK: Ending

    func finish(within limit: Duration) async -> [DurableObserverStatus] {
        let began = clock.now
        state.withLock { $0.isFinished = true }
        let left = await drain(within: limit)
        await stop(within: limit - (clock.now - began))
        return left
    }

    private func stop(within limit: Duration) async {
        let tasks = end()
        let over = Flag()
        let wait = Task.detached {
            for task in tasks { await task.value }
            over.set()
        }
        let began = clock.now
        await over.wait(within: limit, clock)
        // Even if no time is left or the task is cancelled, the runners get a moment to save the progress of current
        // calls. A wait in a cancelled task ends at once, so another task waits.
        let moment = Duration.milliseconds(100) - (clock.now - began)
        _ = await Task { [clock] in await over.wait(within: moment, clock) }.value
        wait.cancel()
        await store.stop()
    }

    @discardableResult
    func end() -> [Task<Void, Never>] {
        let (runners, tasks, housekeeping) = state.withLock { state in
            state.isFinished = true
            return (Array(state.runners.values), Array(state.tasks.values), state.housekeeping)
        }
        housekeeping?.cancel()
        for runner in runners { runner.stop() }
        return tasks
    }

    // MARK: Housekeeping

    func note(storeError words: String, isReported: Bool) -> Bool {
        state.withLock { state in
            state.storeError = words
            defer { if isReported { state.isStoreErrorReported = true } }
            return isReported && !state.isStoreErrorReported
        }
    }

    func noteStoreWorks() -> Bool {
        state.withLock { state in
            state.storeError = nil
            defer { state.isStoreErrorReported = false }
            return state.isStoreErrorReported
        }
    }

    func measure() {
        let (sinks, error) = state.withLock { ($0.metrics, $0.storeError) }
        guard !sinks.isEmpty else { return }
        let statuses = statuses
        for sink in sinks { sink(statuses, error != nil) }
    }

    func add(_ sink: @escaping OutboxMetricsSink) { state.withLock { $0.metrics.append(sink) } }
    var storeError: String? { state.withLock { $0.storeError } }
}
