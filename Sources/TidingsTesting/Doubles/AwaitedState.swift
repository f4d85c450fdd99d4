import Tidings

final class AwaitedState<State: Sendable>: Sendable {
    private struct Contents {
        var state: State
        var waiters: [Int: (isMet: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = [:]
        var lastID = 0
    }

    private let contents: Lock<Contents>

    init(_ state: State) { contents = Lock(Contents(state: state)) }

    var waitingCount: Int { contents.withLock { $0.waiters.count } }

    /// `body` is called under the lock.
    func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, ready) = contents.withLock { contents in
            let result = body(&contents.state)
            let ready = contents.waiters.filter { $0.value.isMet(contents.state) }
            for id in ready.keys { contents.waiters[id] = nil }
            return (result, ready.values.map(\.continuation))
        }
        for continuation in ready { continuation.resume() }
        return result
    }

    /// Returns when `isMet` returns true, or when the task is cancelled. `isMet` is called under the lock.
    func wait(until isMet: @escaping @Sendable (State) -> Bool) async {
        let id = contents.withLock { contents in
            contents.lastID += 1
            return contents.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = contents.withLock { contents in
                    if Task.isCancelled || isMet(contents.state) { return false }
                    contents.waiters[id] = (isMet, continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            contents.withLock { $0.waiters.removeValue(forKey: id)?.continuation }?.resume()
        }
    }
}
