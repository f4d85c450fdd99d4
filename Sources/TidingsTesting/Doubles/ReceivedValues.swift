import Tidings

/// Collects the values that observers receive, in order. Any thread can append values.
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
    private let state = AwaitedState<[Value]>([])

    /// Creates an empty collection.
    public init() {}

    /// The recorded values, in order.
    public var values: [Value] { state.withLock { $0 } }

    /// The number of recorded values.
    public var count: Int { state.withLock { $0.count } }

    package var waitingCount: Int { state.waitingCount }

    /// Records a value.
    ///
    /// - Parameter value: The value that an observer received, or another value that the test needs.
    public func append(_ value: Value) { state.withLock { $0.append(value) } }

    /// Returns when at least the given number of values have been recorded, or when the task is cancelled.
    ///
    /// - Parameter count: The number of values.
    public func wait(for count: Int) async { await state.wait { $0.count >= count } }
}
