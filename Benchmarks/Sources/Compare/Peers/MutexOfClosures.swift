import Synchronization

/// What most people write: closures in an array under a mutex, copied before they are called.
final class MutexOfClosures: Signal {
    private struct Entry: Sendable {
        let id: Int
        let call: @Sendable (Ping) -> Void
    }

    private struct State {
        var entries: [Entry] = []
        var nextID = 0
    }

    private let state = Mutex(State())

    func add(_ index: Int) { _ = connect(index) }

    func addAndCancel(_ times: Int) {
        for _ in 0..<times { disconnect(connect(Handler.idle)) }
    }

    func post(_ times: Int, to sink: Sink) {
        for _ in 0..<times { emit(Ping(sink: sink)) }
    }

    func sibling() -> any Signal { MutexOfClosures() }

    @inline(never)
    private func emit(_ ping: Ping) {
        let entries = state.withLock { $0.entries }
        for entry in entries { entry.call(ping) }
    }

    @inline(never)
    private func connect(_ index: Int) -> Int {
        let call: @Sendable (Ping) -> Void = Handler.make(index)
        return state.withLock { state in
            state.nextID += 1
            state.entries.append(Entry(id: state.nextID, call: call))
            return state.nextID
        }
    }

    @inline(never)
    private func disconnect(_ id: Int) {
        let removed = state.withLock { state in
            state.entries.lastIndex { $0.id == id }.map { state.entries.remove(at: $0) }
        }
        _ = removed  // released after the lock
    }
}
