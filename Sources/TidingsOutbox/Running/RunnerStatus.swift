/// The state of a durable observer in this program.
@nonexhaustive
public enum DurableObserverState: Hashable, Sendable {
    /// The observer is starting and hasn't claimed its lease.
    case starting
    /// This program runs the observer.
    case running
    /// Another program runs the observer. This program takes over when that program ends.
    case elsewhere
    /// The store returned an error. The request is retried.
    case storeFails(String)
    /// The observation has ended.
    case ended
}

/// A snapshot of a durable observer of this program.
public struct DurableObserverStatus: Hashable, Sendable {
    /// The name of the observer.
    public var name: String
    /// The state of the observer.
    public var state: DurableObserverState
    /// The position up to which each notification is handled, is a dead letter, or is among the ``held`` ones.
    public var cursor: Int64
    /// The number of notifications of all types between the cursor and the last one for the observer. 0 if ``state``
    /// isn't `running`.
    public var backlog: Int
    /// The number of notifications that are retried, or wait behind a retried one.
    public var held: Int
    /// The number of notifications that the observer has handled in this program.
    public var handled: Int
    /// The number of attempts that have failed in this program.
    public var failures: Int
    /// The number of notifications that became dead letters in this program.
    public var deadLetters: Int
    /// The time for which the current call has been running, or `nil` if no call is running.
    public var runningFor: Duration?
    /// The time for which one notification has been the oldest ``held`` one in this program, or `nil` if none is held.
    public var heldFor: Duration?
    /// The error of the last failed attempt in this program. If several partitions have failed, it is the error of the
    /// one with the longest ``heldFor``, or of the last one that failed if none of them holds a notification.
    public var lastError: String?
    /// The age of the notification that the observer has reached. `nil` if the observer has handled all notifications
    /// that it has found, or if this program doesn't run the observer.
    public var behind: Duration?
    /// The number of the observer's partitions that this program runs. An undivided observer has one partition.
    public var partitions: Int
    /// The time of the last failed attempt, in milliseconds of the outbox's clock.
    var failedAt: Int64 = 0
}

extension DurableObserverStatus {
    /// Combines the partitions of one observer. `partitions` must not be empty.
    init(_ partitions: [DurableObserverStatus]) {
        self = partitions[0]
        func rank(_ state: DurableObserverState) -> Int {
            switch state {
            case .running: 0
            case .storeFails: 1
            case .starting: 2
            case .elsewhere: 3
            default: 4
            }
        }
        let running = partitions.filter { $0.state == .running }
        state = partitions.map(\.state).min { rank($0) < rank($1) } ?? state
        cursor = (running.isEmpty ? partitions : running).map(\.cursor).min() ?? cursor
        let failed = partitions.filter { $0.lastError != nil }
        lastError =
            failed.max { ($0.heldFor ?? .zero, $0.failedAt) < ($1.heldFor ?? .zero, $1.failedAt) }?.lastError
        for part in partitions.dropFirst() {
            backlog = max(backlog, part.backlog)
            held += part.held
            handled += part.handled
            failures += part.failures
            deadLetters += part.deadLetters
            runningFor = [runningFor, part.runningFor].compactMap { $0 }.max()
            heldFor = [heldFor, part.heldFor].compactMap { $0 }.max()
            behind = [behind, part.behind].compactMap { $0 }.max()
            self.partitions += part.partitions
            failedAt = max(failedAt, part.failedAt)
        }
    }
}

final class RunnerStatus: Sendable {
    private struct State {
        var state = DurableObserverState.starting
        var partitions = 1
        var isStopping = false
        var cursor: Int64 = 0, savedCursor: Int64 = 0
        var held = 0
        /// The time since which the row at `heldPosition` has been the oldest held row.
        var heldSince: Int64 = 0, heldPosition: Int64?
        var error: String?, failedAt: Int64 = 0
        var handled = 0, failures = 0, deadLetters = 0
        /// The pauses between attempts while the store fails, or `nil` while the store works.
        var pauses: Backoff?
        var runningSince: Int64?
        var runningRow: Int64 = 0
        /// The time, by the monotonic clock, at which the row that the observer has reached was stored.
        var storedAt: Int64?
        var hasToldHang = false
        /// `target` is `Int64.max` until the store has reported the last position. The keys are numbers, because
        /// several waits may be `nil`, and a later wait may have the address of an earlier one.
        var waiting: [Int: (wait: ObjectIdentifier?, target: Int64, resume: @Sendable () -> Void)] = [:]
        var lastWait = 0
        weak var watcher: (any RowWatcher)?
    }

    private let state = Lock(State())

    var cursor: Int64 { state.withLock { $0.cursor } }

    /// The saved cursor, and the number of partitions to which it applies, or `nil` if the runner isn't running.
    var saved: (partitions: Int, cursor: Int64)? {
        state.withLock { $0.state == .running ? (partitions: $0.partitions, cursor: $0.savedCursor) : nil }
    }

    func note(savedCursor: Int64) { state.withLock { $0.savedCursor = savedCursor } }

    var held: Int { state.withLock { $0.held } }

    var place: DurableObserverState { state.withLock { $0.state } }

    /// Sets the watcher. All calls for a runner pass the same watcher.
    func watch(_ watcher: any RowWatcher) { state.withLock { $0.watcher = watcher } }

    var isStopping: Bool { state.withLock { $0.isStopping } }
    var isOver: Bool { state.withLock { $0.state == .ended } }
    func stop() { state.withLock { $0.isStopping = true } }

    var partitions: Int { state.withLock { $0.partitions } }

    func set(_ new: DurableObserverState, _ beginning: OutboxProgress? = nil) {
        let resumed = state.withLock { state in
            state.state = new
            if let beginning { (state.partitions, state.savedCursor) = (beginning.partitions, beginning.cursor) }
            guard new == .elsewhere || new == .ended else { return [@Sendable () -> Void]() }
            // In these states, this program records no progress, so the closures in `waiting` are called now.
            defer { state.waiting = [:] }
            return state.waiting.values.map(\.resume)
        }
        for resume in resumed { resume() }
    }

    func note(cursor: Int64, held: Int, oldestHeld: Int64?, now: Int64) {
        let resumed = state.withLock { state in
            state.cursor = cursor
            state.held = held
            if oldestHeld != state.heldPosition { (state.heldPosition, state.heldSince) = (oldestHeld, now) }
            guard held == 0, !state.waiting.isEmpty else { return [@Sendable () -> Void]() }
            let handled = state.waiting.filter { $0.value.target <= cursor }
            for number in handled.keys { state.waiting[number] = nil }
            return handled.values.map(\.resume)
        }
        for resume in resumed { resume() }
    }

    func begin(_ row: OutboxRow, at now: Int64, age: Int64, isCall: Bool = true) {
        state.withLock {
            $0.runningSince = isCall ? now : nil
            $0.storedAt = now - max(0, age)
            $0.runningRow = row.id
            $0.hasToldHang = false
        }
    }

    func noteCaughtUp() { state.withLock { $0.storedAt = nil } }

    func endCall() { state.withLock { $0.runningSince = nil } }
    func countDone() -> (any RowWatcher)? {
        state.withLock { state in
            state.handled += 1
            return state.watcher
        }
    }

    func countFailure(_ error: String, at now: Int64, isDeadLetter: Bool) -> (any RowWatcher)? {
        state.withLock { state in
            state.failures += 1
            (state.error, state.failedAt) = (error, now)
            if isDeadLetter { state.deadLetters += 1 }
            return state.watcher
        }
    }

    func storeFailed(_ words: String, _ longest: Duration) -> (isFirst: Bool, pause: Duration) {
        state.withLock { state in
            let isFirst = state.pauses == nil
            var pauses = state.pauses ?? Backoff(from: min(longest, .milliseconds(100)), to: longest)
            defer { state.pauses = pauses }
            state.state = .storeFails(words)
            return (isFirst, max(pauses.next(), .milliseconds(10)))
        }
    }

    var isStoreFailing: Bool { state.withLock { $0.pauses != nil } }

    func storeWorks() -> Bool {
        state.withLock { state in
            defer { state.pauses = nil }
            if case .storeFails = state.state { state.state = .running }
            return state.pauses != nil
        }
    }

    /// Returns the row whose call hangs, and the duration of the call, at most once for each call.
    func hang(at now: Int64, after patience: Int64) -> (row: Int64, time: Int64)? {
        state.withLock { state in
            guard let since = state.runningSince, now - since >= patience, !state.hasToldHang else { return nil }
            state.hasToldHang = true
            return (state.runningRow, now - since)
        }
    }

    /// Adds a wait whose target ``whenHandled(_:forWait:)`` sets later, and returns the wait's number. If the
    /// observation has ended, calls `resume`, and returns `nil`.
    func add(_ wait: ObjectIdentifier?, _ resume: @escaping @Sendable () -> Void) -> Int? {
        let number = state.withLock { state -> Int? in
            if state.state == .ended { return nil }
            state.lastWait += 1
            state.waiting[state.lastWait] = (wait, Int64.max, resume)
            return state.lastWait
        }
        if number == nil { resume() }
        return number
    }

    func isPending(wait number: Int) -> Bool { state.withLock { $0.waiting[number] != nil } }

    func whenHandled(_ target: Int64, forWait number: Int) {
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            let isDone = state.held == 0 && state.cursor >= target
            if isDone || state.state == .elsewhere { return state.waiting.removeValue(forKey: number)?.resume }
            state.waiting[number]?.target = target
            return nil
        }
        resume?()
    }

    func giveUp(_ wait: ObjectIdentifier) {
        // The closures are released after the lock, because their release may run a `deinit`.
        _ = state.withLock { state in
            defer { state.waiting = state.waiting.filter { $0.value.wait != wait } }
            return state.waiting
        }
    }

    func snapshot(_ name: String, newest: Int64, now: Int64) -> DurableObserverStatus {
        state.withLock { state in
            DurableObserverStatus(
                name: name, state: state.state, cursor: state.cursor,
                backlog: state.state == .running ? Int(max(0, newest - state.cursor)) : 0, held: state.held,
                handled: state.handled, failures: state.failures, deadLetters: state.deadLetters,
                runningFor: state.runningSince.map { .milliseconds(now - $0) },
                heldFor: state.heldPosition.map { _ in .milliseconds(max(0, now - state.heldSince)) },
                lastError: state.error,
                behind: state.state == .running ? state.storedAt.map { .milliseconds(max(0, now - $0)) } : nil,
                partitions: state.state == .running ? 1 : 0, failedAt: state.failedAt)
        }
    }
}

protocol RowWatcher: AnyObject, Sendable {
    /// `failure` is `nil` if the row was handled.
    func note(_ row: Int64, by observer: String, _ failure: (error: String, isDeadLetter: Bool)?)
}
