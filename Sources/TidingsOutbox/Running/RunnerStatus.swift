import Tidings

/// What a durable observer is doing in this program.
@nonexhaustive
public enum DurableObserverState: Hashable, Sendable {
    /// It has not begun.
    case starting
    /// This program runs it.
    case running
    /// Another program runs it. This one takes over when that one ends.
    case elsewhere
    /// The store does not do what it is asked to, for this reason. It is asked again.
    case storeFails(String)
    /// The observation has ended.
    case ended
}

/// A durable observer of this program, at a moment.
public struct DurableObserverStatus: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// What it is doing.
    public var state: DurableObserverState
    /// The position up to which everything is handled or held.
    public var cursor: Int64
    /// How many positions there are behind its cursor, as far as this program knows: of rows of all types.
    public var backlog: Int
    /// How many notifications are tried again, or wait behind one.
    public var held: Int
    /// How many it has handled in this program.
    public var handled: Int
    /// How many attempts have failed in this program.
    public var failures: Int
    /// How many notifications were buried in this program.
    public var deadLetters: Int
    /// How long the call that is running has taken; `nil` if none is.
    public var runningFor: Duration?
    /// For how long the oldest of those that are ``held`` has been, in this program; `nil` if none is.
    public var heldFor: Duration?
    /// Why the last attempt failed that did, in this program; `nil` if none has.
    public var lastError: String?
    /// How long ago the notification was stored that the observer is at; `nil` if it has handled all that it has found, or this program
    /// doesn't run it.
    public var behind: Duration?
}

/// The part of a runner that others see.
final class RunnerStatus: Sendable {
    private struct State {
        var state = DurableObserverState.starting
        var isStopping = false
        var cursor: Int64 = 0
        var held = 0
        /// Since when the oldest notification is held, and its position.
        var heldSince: Int64 = 0, heldPosition: Int64?
        var error: String?
        var handled = 0, failures = 0, deadLetters = 0
        /// The pauses while the store fails; `nil` while it works.
        var pauses: Backoff?
        var runningSince: Int64?
        var runningRow: Int64 = 0
        /// When the row that the observer is at was stored, by the clock that doesn't jump.
        var storedAt: Int64?
        var hasToldHang = false
        var waiting: [Int: (target: Int64, resume: @Sendable () -> Void)] = [:]
        var number = 0
        /// The deliveries that are told of each row.
        var watching: [ObjectIdentifier: WeakWatcher] = [:]
    }

    private let state = Lock(State())

    /// The position up to which everything is handled or held, when it was noted last.
    var cursor: Int64 { state.withLock { $0.cursor } }

    /// What it is doing.
    var place: DurableObserverState { state.withLock { $0.state } }

    func watch(_ watcher: any RowWatcher) {
        state.withLock { $0.watching[ObjectIdentifier(watcher)] = WeakWatcher(watcher: watcher) }
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }
    var isOver: Bool { state.withLock { $0.state == .ended } }
    func stop() { state.withLock { $0.isStopping = true } }

    func set(_ new: DurableObserverState) {
        let resumed = state.withLock { state in
            state.state = new
            guard new == .elsewhere else { return [@Sendable () -> Void]() }
            // Whoever waits here would wait for another program.
            defer { state.waiting = [:] }
            return state.waiting.values.map(\.resume)
        }
        for resume in resumed { resume() }
    }

    func end() {
        let resumed = state.withLock { state in
            state.state = .ended
            defer { state.waiting = [:] }
            return state.waiting.values.map(\.resume)
        }
        for resume in resumed { resume() }
    }

    /// Notes how far the observer has come, and that the oldest notification that is held is the one of a position.
    func note(cursor: Int64, held: Int, oldestHeld: Int64?, now: Int64) {
        let resumed = state.withLock { state in
            state.cursor = cursor
            state.held = held
            if oldestHeld != state.heldPosition { (state.heldPosition, state.heldSince) = (oldestHeld, now) }
            guard held == 0, !state.waiting.isEmpty else { return [@Sendable () -> Void]() }
            let done = state.waiting.filter { $0.value.target <= cursor }
            for number in done.keys { state.waiting[number] = nil }
            return done.values.map(\.resume)
        }
        for resume in resumed { resume() }
    }

    /// Notes that the observer is called with a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - now: The time, in milliseconds.
    ///   - age: How long ago the row was stored, in milliseconds.
    func begin(_ row: OutboxRow, at now: Int64, age: Int64) {
        state.withLock {
            $0.runningSince = now
            $0.storedAt = now - max(0, age)
            $0.runningRow = row.id
            $0.hasToldHang = false
        }
    }

    /// Notes that there was nothing behind the cursor.
    func noteCaughtUp() { state.withLock { $0.storedAt = nil } }

    func endCall() { state.withLock { $0.runningSince = nil } }
    /// - Returns: Who is to be told.
    func countDone() -> [any RowWatcher] {
        state.withLock { state in
            state.handled += 1
            return state.watching.isEmpty ? [] : state.watching.values.compactMap(\.watcher)
        }
    }

    func countFailure(_ error: String, isDeadLetter: Bool) -> [any RowWatcher] {
        state.withLock { state in
            state.failures += 1
            state.error = error
            if isDeadLetter { state.deadLetters += 1 }
            return state.watching.values.compactMap(\.watcher)
        }
    }

    /// - Parameters:
    ///   - words: What the store says.
    ///   - longest: The longest pause.
    /// - Returns: Whether it has worked before, and how long to wait before it is tried again.
    func storeFailed(_ words: String, _ longest: Duration) -> (isFirst: Bool, pause: Duration) {
        state.withLock { state in
            let isFirst = state.pauses == nil
            var pauses = state.pauses ?? Backoff(from: min(longest, .milliseconds(100)), to: longest)
            defer { state.pauses = pauses }
            state.state = .storeFails(words)
            return (isFirst, max(pauses.next(), .milliseconds(10)))
        }
    }

    /// Whether the store has not done what it was asked to, and nothing since.
    var isStoreFailing: Bool { state.withLock { $0.pauses != nil } }

    /// - Returns: Whether it did not work before.
    func storeWorks() -> Bool {
        state.withLock { state in
            defer { state.pauses = nil }
            if case .storeFails = state.state { state.state = .running }
            return state.pauses != nil
        }
    }

    /// The row with which the observer hangs, told once.
    func hang(at now: Int64, after patience: Int64) -> (row: Int64, time: Int64)? {
        state.withLock { state in
            guard let since = state.runningSince, now - since >= patience, !state.hasToldHang else { return nil }
            state.hasToldHang = true
            return (state.runningRow, now - since)
        }
    }

    /// Calls a closure when everything up to a position is handled, or the observer has ended or is run elsewhere.
    ///
    /// - Returns: A number by which to forget it.
    @discardableResult
    func whenHandled(_ target: Int64, _ resume: @escaping @Sendable () -> Void) -> Int? {
        let number: Int? = state.withLock { state in
            let isDone = state.held == 0 && state.cursor >= target
            if isDone || state.state == .ended || state.state == .elsewhere { return nil }
            state.number += 1
            state.waiting[state.number] = (target, resume)
            return state.number
        }
        if number == nil { resume() }
        return number
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
                behind: state.state == .running ? state.storedAt.map { .milliseconds(max(0, now - $0)) } : nil)
        }
    }
}

/// What is told what observers have done with each row.
protocol RowWatcher: AnyObject, Sendable {
    /// - Parameters:
    ///   - row: The number of the row.
    ///   - observer: The name of the observer.
    ///   - failure: The error, and whether the row is buried with it; `nil` if the row was handled.
    func note(_ row: Int64, by observer: String, _ failure: (error: String, isDeadLetter: Bool)?)
}

/// A watcher, which may end first.
struct WeakWatcher: Sendable {
    weak let watcher: (any RowWatcher)?
}
