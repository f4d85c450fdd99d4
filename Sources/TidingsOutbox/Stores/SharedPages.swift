import Tidings

/// Reads a page once for all durable observers that ask for the same at the same time, as those of one type do after each commit.
final class SharedPages: Sendable {
    private struct Request: Hashable {
        let position: Int64
        let limit: Int
        let names: Set<String>
    }

    private typealias Reader = CheckedContinuation<OutboxRowPage, any Error>

    private let store: any OutboxStore
    /// Who waits for the next reading of what is being read.
    private let waiting = Lock<[Request: [Reader]]>([:])

    init(of store: any OutboxStore) { self.store = store }

    /// Reads rows behind a position, as the store does: what was committed before the call is in the page.
    func page(after position: Int64, limit: Int, named names: Set<String>) async throws -> OutboxRowPage {
        let request = Request(position: position, limit: limit, names: names)
        return try await withCheckedThrowingContinuation { reader in
            let starts = waiting.withLock { waiting in
                if waiting[request] == nil {
                    waiting[request] = []
                    return true
                }
                // What is being read may have begun before the last commit.
                waiting[request]?.append(reader)
                return false
            }
            if starts { Task.detached { await self.read(request, for: reader) } }
        }
    }

    /// How many wait for the next reading.
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
