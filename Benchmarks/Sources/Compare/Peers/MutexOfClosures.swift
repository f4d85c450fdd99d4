import Synchronization

/// The most common implementation: a mutex protects an array of closures. A post copies the array, and then calls the
/// closures.
final class MutexOfClosures: ClosureSignal, @unchecked Sendable {  // `tokens` is only used during setup
    private struct Entry: Sendable {
        let id: Int
        let call: @Sendable (Ping) -> Void
    }

    private struct State {
        var entries: [Entry] = []
        var lastID = 0
    }

    var tokens: [Int] = []
    private let state = Mutex(State())

    func connect<Kind: HandlerKind>(_ kind: Kind.Type, _ index: Int) -> Int {
        add { $0.sink.add(Kind.weight(index)) }
    }

    func connectIdle() -> Int {
        add { $0.sink.add(0) }
    }

    @inline(never)
    private func add(_ call: @escaping @Sendable (Ping) -> Void) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.entries.append(Entry(id: state.lastID, call: call))
            return state.lastID
        }
    }

    @inline(never)
    func disconnect(_ id: Int) {
        let removed = state.withLock { state in
            state.entries.lastIndex { $0.id == id }.map { state.entries.remove(at: $0) }
        }
        _ = removed  // the closure is released here, after the unlock
    }

    func post(_ times: Int, to sink: Sink) {
        for _ in 0..<times { emit(Ping(sink: sink)) }
    }

    @inline(never)
    private func emit(_ ping: Ping) {
        let entries = state.withLock { $0.entries }
        for entry in entries { entry.call(ping) }
    }

    func sibling() -> any Signal { MutexOfClosures() }
}
