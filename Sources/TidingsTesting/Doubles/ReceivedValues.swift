import Tidings

/// Values that observers have received, in order, on any thread.
///
/// Use it for a test's own observers. A ``RecordingNotificationCenter`` records the posts of the code under test.
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

    /// Creates an empty collection.
    public init() {}

    /// The recorded values, in order.
    public var values: [Value] { state.withLock { $0.values } }

    /// The number of recorded values.
    public var count: Int { state.withLock { $0.values.count } }

    package var waitingCount: Int { state.withLock { $0.waitingCount } }

    /// Records a value.
    ///
    /// - Parameter value: The value that an observer received, or another value that the test needs.
    public func append(_ value: Value) {
        for continuation in state.withLock({ $0.append(value) }) { continuation.resume() }
    }

    /// Returns when at least the given number of values have been recorded, or when the task is cancelled.
    ///
    /// - Parameter count: The number of values.
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

    /// Returns the tasks that no longer have to wait.
    mutating func append(_ value: Value) -> [CheckedContinuation<Void, Never>] {
        values.append(value)
        if waiters.isEmpty { return [] }
        let ready = waiters.filter { $0.value.count <= values.count }
        for id in ready.keys { waiters[id] = nil }
        return ready.values.map(\.continuation)
    }

    /// Returns `false` if that many values have already been recorded.
    mutating func wait(_ id: Int, for count: Int, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
        if values.count >= count { return false }
        waiters[id] = Waiter(count: count, continuation: continuation)
        return true
    }

    mutating func cancel(_ id: Int) -> CheckedContinuation<Void, Never>? {
        waiters.removeValue(forKey: id)?.continuation
    }
}
