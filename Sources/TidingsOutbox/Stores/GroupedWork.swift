import Tidings

/// Does in one go what is asked for at the same time: what comes while one group is being done is done together, in the next.
///
/// A commit waits for the disk, and a question to a server for the network, however little there is in it. If each of many durable
/// observers had one of its own, a post would wait behind as many as there are observers of its type.
final class GroupedWork<Item: Sendable, Value: Sendable>: Sendable {
    /// Does some of it, and says how each ended, in the same order.
    typealias Perform = @Sendable ([Item]) async -> [Result<Value, any Error>]

    private struct Waiting: Sendable {
        let item: Item
        let continuation: CheckedContinuation<Value, any Error>
    }

    private struct State {
        var waiting: [Waiting] = []
        var isRunning = false
        /// How much is being done.
        var groupSize = 0
    }

    private let limit: Int
    private let perform: Perform
    private let state = Lock(State())

    /// - Parameters:
    ///   - limit: How many are done in one go at most: others who want the database wait for so long.
    ///   - perform: Does some of it.
    init(atMost limit: Int, _ perform: @escaping Perform) {
        self.limit = limit
        self.perform = perform
    }

    /// Returns when it is done: nothing of it has begun before the call.
    ///
    /// - Parameter item: What to do.
    /// - Returns: What came of it.
    /// - Throws: Why it was not done.
    func callAsFunction(_ item: Item) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let starts = state.withLock { state in
                state.waiting.append(Waiting(item: item, continuation: continuation))
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if starts { Task.detached { await self.run() } }
        }
    }

    /// How much has been asked for and is not done.
    var pendingCount: Int { state.withLock { $0.waiting.count + $0.groupSize } }

    private func run() async {
        while true {
            let group = state.withLock { state in
                let group = Array(state.waiting.prefix(limit))
                state.waiting.removeFirst(group.count)
                state.groupSize = group.count
                if group.isEmpty { state.isRunning = false }
                return group
            }
            if group.isEmpty { return }
            let results = await perform(group.map(\.item))
            for (waiting, result) in zip(group, results) { waiting.continuation.resume(with: result) }
        }
    }
}
