/// Shares the read of a page among the durable observers that request it at the same time, such as after a commit.
final class SharedPages: Sendable {
    private struct Request: Hashable {
        let position: Int64
        let limit: Int
        let names: Set<String>
    }

    private typealias Reader = CheckedContinuation<OutboxRowPage, any Error>

    private let store: any OutboxStore
    /// The readers that arrived while their page was being read, and wait for the next read.
    private let waiting = Lock<[Request: [Reader]]>([:])

    init(of store: any OutboxStore) { self.store = store }

    /// Returns a page. The read begins after this call, so the page includes rows that were committed before the call.
    func page(after position: Int64, limit: Int, named names: Set<String>) async throws -> OutboxRowPage {
        let request = Request(position: position, limit: limit, names: names)
        return try await withCheckedThrowingContinuation { reader in
            let starts = waiting.withLock { waiting in
                if waiting[request] == nil {
                    waiting[request] = []
                    return true
                }
                // The current read may have begun before the last commit.
                waiting[request]?.append(reader)
                return false
            }
            if starts { Task.detached { await self.read(request, for: reader) } }
        }
    }

    var waitingCount: Int { waiting.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    private func read(_ request: Request, for first: Reader) async {
        var readers = [first]
        while !readers.isEmpty {
            let result: Result<OutboxRowPage, any Error>
            do {
                result = .success(
                    try await store.page(after: request.position, limit: request.limit, named: request.names))
            } catch { result = .failure(error) }
            for reader in readers { reader.resume(with: result) }
            readers = waiting.withLock { waiting in
                let next = waiting[request] ?? []
                waiting[request] = next.isEmpty ? nil : []
                return next
            }
        }
    }
}
