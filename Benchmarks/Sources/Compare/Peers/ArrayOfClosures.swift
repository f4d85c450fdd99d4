/// What nobody can beat and nobody can share between threads: closures in an array.
final class ArrayOfClosures: Signal, @unchecked Sendable {  // used by one thread
    private struct Entry {
        let id: Int
        let call: (Ping) -> Void
    }

    private var entries: [Entry] = []
    private var nextID = 0

    func add(_ index: Int) { _ = connect(index) }

    func addAndCancel(_ times: Int) {
        for _ in 0..<times { disconnect(connect(Handler.idle)) }
    }

    func post(_ times: Int, to sink: Sink) {
        for _ in 0..<times { emit(Ping(sink: sink)) }
    }

    func sibling() -> any Signal { ArrayOfClosures() }

    @inline(never)
    private func emit(_ ping: Ping) {
        for entry in entries { entry.call(ping) }
    }

    @inline(never)
    private func connect(_ index: Int) -> Int {
        nextID += 1
        entries.append(Entry(id: nextID, call: Handler.make(index)))
        return nextID
    }

    @inline(never)
    private func disconnect(_ id: Int) {
        if let index = entries.lastIndex(where: { $0.id == id }) { entries.remove(at: index) }
    }
}
