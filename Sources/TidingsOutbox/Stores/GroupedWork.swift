/// Performs several requests together, because each commit waits for the disk, and each query waits for the network. If
/// every durable observer had its own commits, a post would wait behind all of these commits.
final class GroupedWork<Item: Sendable, Value: Sendable>: Sendable {
    /// Returns a result for each request. A thrown error is the result of all requests.
    typealias Perform = @Sendable ([Item]) async throws -> [Result<Value, any Error>]

    private typealias Waiting = (item: Item, continuation: CheckedContinuation<Value, any Error>)

    private let limit: Int
    private let perform: Perform
    /// The requests without a result. The first requests are the group that is being processed.
    private let waiting = Lock<[Waiting]>([])

    /// `limit` is the maximum size of a group, which limits how long other users of the database wait.
    init(atMost limit: Int, _ perform: @escaping Perform) {
        self.limit = limit
        self.perform = perform
    }

    /// Performs a request. The request doesn't join the group that is being processed, so its work begins after this
    /// call.
    func callAsFunction(_ item: Item) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                waiting.append((item, continuation))
                return waiting.count == 1
            }
            if isFirst { Task.detached { await self.run() } }
        }
    }

    var pendingCount: Int { waiting.withLock { $0.count } }

    private func run() async {
        var group: [Waiting] = []
        while true {
            group = waiting.withLock { waiting in
                waiting.removeFirst(group.count)
                return Array(waiting.prefix(limit))
            }
            if group.isEmpty { return }
            do {
                let results = try await perform(group.map { $0.item })
                for (waiting, result) in zip(group, results) { waiting.continuation.resume(with: result) }
            } catch {
                for waiting in group { waiting.continuation.resume(throwing: error) }
            }
        }
    }
}
