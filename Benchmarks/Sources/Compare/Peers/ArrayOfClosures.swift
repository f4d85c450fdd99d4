final class ArrayOfClosures: ClosureSignal, @unchecked Sendable {  // used by one thread
    private struct Entry {
        let id: Int
        let call: (Ping) -> Void
    }

    var tokens: [Int] = []
    private var entries: [Entry] = []
    private var lastID = 0

    func connect<Kind: HandlerKind>(_ kind: Kind.Type, _ index: Int) -> Int {
        add { $0.sink.add(Kind.weight(index)) }
    }

    func connectIdle() -> Int {
        add { $0.sink.add(0) }
    }

    @inline(never)
    private func add(_ call: @escaping (Ping) -> Void) -> Int {
        lastID += 1
        entries.append(Entry(id: lastID, call: call))
        return lastID
    }

    @inline(never)
    func disconnect(_ id: Int) {
        if let index = entries.lastIndex(where: { $0.id == id }) { entries.remove(at: index) }
    }

    func post(_ times: Int, to sink: Sink) {
        for _ in 0..<times { emit(Ping(sink: sink)) }
    }

    @inline(never)
    private func emit(_ ping: Ping) {
        for entry in entries { entry.call(ping) }
    }

    func sibling() -> any Signal { ArrayOfClosures() }
}
