/// Combines simultaneous requests. Requests that arrive while a group is processed form the next group.
///
/// A commit waits for the disk, and a query for the network, regardless of its size. If each durable observer had its
/// own commits, a post would wait behind a commit for each observer of its type.
final class GroupedWork<Item: Sendable, Value: Sendable>: Sendable {
    /// Returns a result for each request. A thrown error is the result of all requests.
    typealias Perform = @Sendable ([Item]) async throws -> [Result<Value, any Error>]

    private struct Waiting: Sendable {
        let item: Item
        let continuation: CheckedContinuation<Value, any Error>
    }

    private struct State {
        var waiting: [Waiting] = []
        var isRunning = false
        var groupSize = 0
    }

    private let limit: Int
    private let perform: Perform
    private let state = Lock(State())

    /// `limit` is the maximum size of a group, which limits how long other users of the database wait.
    init(atMost limit: Int, _ perform: @escaping Perform) {
        self.limit = limit
        self.perform = perform
    }

    /// Returns the result of a request. The work doesn't begin before this call.
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
            do {
                let results = try await perform(group.map(\.item))
                for (waiting, result) in zip(group, results) { waiting.continuation.resume(with: result) }
            } catch {
                for waiting in group { waiting.continuation.resume(throwing: error) }
            }
        }
    }
}
