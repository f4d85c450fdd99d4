extension TypedNotificationCenter {
    /// Returns when everything that was posted before has been handled, or when the time is over.
    ///
    /// Waited for is what is queued for asynchronous observers, and the calls of them that are running; not what those post in
    /// turn. What the consumer of a sequence has taken is handled when it asks for more. Nothing is discarded and nothing ends:
    /// to end an observation without what waits for it, see ``NotificationToken/cancelAndDrain()``; to end all of them when what
    /// waits is handled, ``finish(within:clock:)``.
    ///
    /// ```swift
    /// let left = await center.drain(within: .seconds(1))
    /// for observer in left { print("still at it: \(observer.place), \(observer.queued) wait") }
    /// ```
    ///
    /// An asynchronous observer that drains its own center does not wait for itself, nor for an observer that waits for it. The
    /// consumer of a sequence waits for itself in vain, until the time is over.
    ///
    /// An observer that another thread is registering is waited for when its registration has returned, not before.
    ///
    /// A center of your own that does not forward has nothing to wait for here, as only that one knows its observers.
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task ends the wait, too.
    ///   - clock: The clock that measures the time.
    /// - Returns: The observations that had not handled everything, as they stand; none if all was handled.
    @discardableResult
    @export(implementation)
    public func drain(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> [ObservationStatus] {
        await NativeNotificationCenter.drain(listedCenters, within: limit, clock: clock)
    }

    /// The native centers that have the observers of this one.
    @usableFromInline var listedCenters: [NativeNotificationCenter] { listing?.nativeCenters ?? [] }
}

extension NativeNotificationCenter {
    @usableFromInline package var nativeCenters: [NativeNotificationCenter] { [self] }

    /// Drains several centers at once.
    @export(implementation)
    package static func drain(
        _ centers: [NativeNotificationCenter], within limit: Duration, clock: any Clock<Duration>
    ) async -> [ObservationStatus] {
        let queues = centers.flatMap(\.queues)
        let unfinished = await QueueDrain.drain(queues.map(\.queue), within: limit, clock: clock)
        // The hosts of channels live as long as the centers do.
        defer { extendLifetime(centers) }
        return unfinished.sorted().map { ObservationStatus(queues[$0].status, queues[$0].host) }
    }
}

/// The wait until several queues have handled what was put into them before.
@usableFromInline
enum QueueDrain {
    /// Waits until queues have handled what was put into them before, the time is over, or the task is cancelled.
    ///
    /// - Returns: The indices of the queues that had not.
    @export(implementation)
    static func drain(
        _ queues: [any ObserverQueue], within limit: Duration, clock: any Clock<Duration>
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

/// A wait until a number of things have happened, the time is over, or the task is cancelled.
@usableFromInline
final class BoundedWait: Sendable {
    private struct State {
        /// What has not happened yet.
        var pending: Set<Int> = []
        var isOver = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Lock(State())

    @usableFromInline init() {}

    /// What has not happened yet.
    @usableFromInline var pending: Set<Int> { state.withLock { $0.pending } }

    /// Whether the wait was given up.
    @usableFromInline var isOver: Bool { state.withLock { $0.isOver } }

    /// Adds something to wait for, before the wait or while there is something else to wait for.
    @usableFromInline func add(_ number: Int) { state.withLock { _ = $0.pending.insert(number) } }

    /// Notes that something has happened.
    @usableFromInline func remove(_ number: Int) { change { $0.pending.remove(number) } }

    /// Waits for a time at most.
    @usableFromInline
    func run(within limit: Duration, clock: any Clock<Duration>) async {
        let limit = WaitLimit(limit, clock) { self.giveUp() }
        await run()
        limit.end()
    }

    /// Waits.
    func run() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in change { $0.continuation = continuation } }
        } onCancel: {
            giveUp()
        }
    }

    /// Ends the wait, whatever has not happened.
    func giveUp() { change { $0.isOver = true } }

    /// Changes the state, and then resumes the task that waits, if there is nothing more to wait for.
    private func change<Result>(_ change: (inout State) -> Result) {
        let continuation = state.withLock { state in
            _ = change(&state)
            return state.isOver || state.pending.isEmpty ? state.continuation.take() : nil
        }
        continuation?.resume()
    }
}

/// The queues for which the call of an observer does not wait, as they wait for that call: its own, and those of observers whose
/// running calls wait for it.
@usableFromInline
struct ExcusedQueues {
    private let call: Call?
    private var waited: [WaitGraph.Node] = []
    private var excused: Set<ObjectIdentifier> = []

    /// Notes that the caller, if it is part of an observer's call, waits for all other queues.
    @usableFromInline
    init(among queues: [any ObserverQueue]) {
        call = CallContext.current?.call
        guard let call else { return }
        let queues = queues.map { ObjectIdentifier($0) }
        excused = WaitGraph.update { graph in
            Set(queues.filter { !graph.beginDrain(call, of: .mailbox($0)) })
        }
        waited = queues.filter { !excused.contains($0) }.map { .mailbox($0) }
    }

    /// Whether the caller does not wait for a queue.
    @usableFromInline func contains(_ queue: any ObserverQueue) -> Bool { excused.contains(ObjectIdentifier(queue)) }

    /// Notes that the wait is over.
    @usableFromInline
    func endWait() {
        guard let call else { return }
        WaitGraph.update { graph in
            for node in waited { graph.endWait(call, for: node) }
        }
    }
}
