extension TypedNotificationCenter {
    /// Waits until everything that was posted before this call has been handled, or until the time limit has passed.
    ///
    /// The method waits for the notifications that are queued for asynchronous observers, and for running calls. It
    /// doesn't wait for notifications that these observers post. An element of a sequence counts as handled when its
    /// consumer requests the next one. The method doesn't wait for notifications that are queued for a Combine
    /// subscriber, which may never demand them. Nothing is discarded, and no observation ends. To end observations, use
    /// ``NotificationToken/cancelAndDrain()`` or ``finish(within:clock:)``.
    ///
    /// ```swift
    /// let left = await center.drain(within: .seconds(1))
    /// for observer in left { print("still at it: \(observer.place), \(observer.queued) wait") }
    /// ```
    ///
    /// If an asynchronous observer drains its own center, the method waits neither for that observer nor for other
    /// observers that wait for it. If the consumer of a sequence drains the center, the method waits for the consumer
    /// until the time limit has passed. An observer that another thread is registering is included once its
    /// registration has returned.
    ///
    /// For a center of your own that doesn't forward to another center, the method returns at once, because Tidings
    /// can't list the observers.
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task also ends the wait.
    ///   - clock: The clock that measures the time.
    /// - Returns: The state of the observations that hadn't handled everything; empty if everything was handled.
    @discardableResult
    @export(implementation)
    public func drain(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> [ObservationStatus] {
        await NativeNotificationCenter.drain(drainedCenters, within: limit, clock: clock)
    }

    /// Waits without a limit until everything that was posted before this call has been handled.
    ///
    /// The method waits as ``drain(within:clock:)`` does, and returns immediately if the task is cancelled. If a
    /// recording center of `TidingsTesting` holds deliveries back with a gate, the method doesn't wait for them.
    ///
    /// ```swift
    /// center.post(CacheCleared())
    /// await center.drain()
    /// ```
    @export(implementation)
    public func drain() async {
        await listing?.drain(by: { _ = await NativeNotificationCenter.drain($0, within: nil, clock: ContinuousClock()) }
        )
    }

    @usableFromInline var drainedCenters: [NativeNotificationCenter] { listing?.drainedCenters ?? [] }
}

extension NativeNotificationCenter {
    @usableFromInline package var nativeCenters: [NativeNotificationCenter] { [self] }

    @export(implementation)
    package static func drain(
        _ centers: [NativeNotificationCenter], within limit: Duration?, clock: any Clock<Duration>
    ) async -> [ObservationStatus] {
        let queues = centers.flatMap(\.queues)
        let unfinished = await QueueDrain.drain(queues.map(\.queue), within: limit, clock: clock)
        // The objects that `queues` contains live only as long as the centers.
        defer { extendLifetime(centers) }
        return unfinished.sorted().map { ObservationStatus(queues[$0].status, queues[$0].host) }
    }
}

@usableFromInline
enum QueueDrain {
    /// Returns the indices of the queues that hadn't handled everything when the wait ended.
    @export(implementation)
    static func drain(
        _ queues: [any ObserverQueue], within limit: Duration?, clock: any Clock<Duration>
    ) async -> Set<Int> {
        let wait = BoundedWait()
        let excused = ExcusedQueues(among: queues)
        for (index, queue) in queues.enumerated() where !excused.contains(queue) {
            wait.add(index)
            queue.whenHandled(for: ObjectIdentifier(wait)) { wait.remove(index) }
        }
        await wait.run(within: limit, clock: clock)
        excused.endWait()
        for index in wait.pending { queues[index].giveUp(ObjectIdentifier(wait)) }
        return wait.pending.union(
            queues.indices.filter { excused.contains(queues[$0]) && queues[$0].status.queued > 0 })
    }
}

@usableFromInline
final class BoundedWait: Sendable {
    private struct State: ~Copyable {
        var pending: Set<Int> = []
        var isOver = false
        /// Resumes the waiting task. A closure, because the compiler doesn't know the layout of a continuation.
        var resume: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    @usableFromInline init() {}

    @usableFromInline var pending: Set<Int> { state.withLock { $0.pending } }

    @usableFromInline var isOver: Bool { state.withLock { $0.isOver } }

    /// Adds an event to wait for. May be called while `run` waits, as long as another event is pending.
    @usableFromInline func add(_ number: Int) { state.withLock { _ = $0.pending.insert(number) } }

    @usableFromInline func remove(_ number: Int) { change { $0.pending.remove(number) } }

    @usableFromInline
    func run(within limit: Duration?, clock: any Clock<Duration>) async {
        guard let limit else { return await run() }
        let timer = WaitLimit(limit, clock) { self.giveUp() }
        await run()
        timer.end()
    }

    func run() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                change { $0.resume = { continuation.resume() } }
            }
        } onCancel: {
            giveUp()
        }
    }

    func giveUp() { change { $0.isOver = true } }

    private func change<Result>(_ change: (inout State) -> Result) {
        let resume = state.withLock { state in
            _ = change(&state)
            return state.isOver || state.pending.isEmpty ? state.resume.take() : nil
        }
        resume?()
    }
}

/// The queues that the running call doesn't wait for: its own, and those of observers that wait for the running call.
@usableFromInline
struct ExcusedQueues {
    private let call: Call?
    private var waited: [WaitGraph.Node] = []
    private var excused: Set<ObjectIdentifier> = []

    @usableFromInline
    init(among queues: [any ObserverQueue]) {
        call = CallContext.current?.call
        guard let call else { return }
        let queues = queues.map { (ObjectIdentifier($0), $0.waitNodes.map { WaitGraph.Node.mailbox($0) }) }
        (waited, excused) = WaitGraph.update { graph -> ([WaitGraph.Node], Set<ObjectIdentifier>) in
            var (waited, excused) = ([WaitGraph.Node](), Set<ObjectIdentifier>())
            for (queue, nodes) in queues {
                if nodes.contains(where: { graph.closesCycle(call, to: $0) }) {
                    excused.insert(queue)
                } else {
                    for node in nodes { graph.beginWait(call, for: node) }
                    waited += nodes
                }
            }
            return (waited, excused)
        }
    }

    @usableFromInline func contains(_ queue: any ObserverQueue) -> Bool { excused.contains(ObjectIdentifier(queue)) }

    @usableFromInline
    func endWait() {
        guard let call else { return }
        WaitGraph.update { $0.endWaits(call, for: waited) }
    }
}
