import Tidings

/// What observers received, in the order in which they did, on whatever thread.
///
/// A ``RecordingNotificationCenter`` says what the code under test posts. Where a test observes itself, its observers note
/// here what reaches them.
///
/// ```swift
/// let received = ReceivedValues<Int>()
/// let token = center.addObserver(on: .task, for: Saved.self) { note in received.append(note.id) }
/// center.post(Saved(id: 7))
/// await received.wait(for: 1)
/// #expect(received.values == [7])
/// ```
public final class ReceivedValues<Value: Sendable>: Sendable {
    private let state = Lock(ReceivedState<Value>())

    /// Makes one in which nothing was noted.
    public init() {}

    /// What was noted, in order.
    public var values: [Value] { state.withLock { $0.values } }

    /// How many values were noted.
    public var count: Int { state.withLock { $0.values.count } }

    /// How many tasks wait for more.
    package var waitingCount: Int { state.withLock { $0.waitingCount } }

    /// Notes a value.
    ///
    /// - Parameter value: What an observer received, or what the test wants to know of it.
    public func append(_ value: Value) {
        for continuation in state.withLock({ $0.append(value) }) { continuation.resume() }
    }

    /// Returns when at least so many values were noted, or when the task is cancelled.
    ///
    /// - Parameter count: How many.
    public func wait(for count: Int) async {
        let id = state.withLock { $0.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    if Task.isCancelled { return false }
                    return state.wait(id, for: count, continuation)
                }
                if !isWaiting { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.cancel(id) }?.resume()
        }
    }
}

/// The values that were received, and the tasks that wait for more.
struct ReceivedState<Value: Sendable> {
    private struct Waiter {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private(set) var values: [Value] = []
    private var waiters: [Int: Waiter] = [:]
    private var lastID = 0

    var waitingCount: Int { waiters.count }

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    /// Adds a value.
    ///
    /// - Returns: The tasks that need not wait any longer.
    mutating func append(_ value: Value) -> [CheckedContinuation<Void, Never>] {
        values.append(value)
        if waiters.isEmpty { return [] }
        let ready = waiters.filter { $0.value.count <= values.count }
        for id in ready.keys { waiters[id] = nil }
        return ready.values.map(\.continuation)
    }

    /// Waits for so many values.
    ///
    /// - Returns: False if they are there already.
    mutating func wait(_ id: Int, for count: Int, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
        if values.count >= count { return false }
        waiters[id] = Waiter(count: count, continuation: continuation)
        return true
    }

    /// Gives up waiting.
    mutating func cancel(_ id: Int) -> CheckedContinuation<Void, Never>? {
        waiters.removeValue(forKey: id)?.continuation
    }
}
