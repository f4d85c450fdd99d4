import Tidings

/// Combines work that is requested at the same time: requests that arrive while one group is being processed are
/// processed together in the next.
///
/// A commit waits for the disk, and a query to a server for the network, however small it is. If each of many durable
/// observers had its own, a post would wait behind as many as there are observers of its type.
final class GroupedWork<Item: Sendable, Value: Sendable>: Sendable {
    /// Performs some of the work, and returns the results in the same order.
    typealias Perform = @Sendable ([Item]) async -> [Result<Value, any Error>]

    private struct Waiting: Sendable {
        let item: Item
        let continuation: CheckedContinuation<Value, any Error>
    }

    private struct State {
        var waiting: [Waiting] = []
        var isRunning = false
        /// The number of requests being processed.
        var groupSize = 0
    }

    private let limit: Int
    private let perform: Perform
    private let state = Lock(State())

    /// - Parameters:
    ///   - limit: The maximum size of a group. Other users of the database wait that long.
    ///   - perform: Performs some of the work.
    init(atMost limit: Int, _ perform: @escaping Perform) {
        self.limit = limit
        self.perform = perform
    }

    /// Returns when the work is done. No part of it has begun before the call.
    ///
    /// - Parameter item: The request.
    /// - Returns: The result.
    /// - Throws: The error that prevented it.
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

    /// The number of requests that aren't done.
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
