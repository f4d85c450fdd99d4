import Synchronization

/// The best simple implementation: a mutex protects an array of objects. A post copies the array, and then calls the
/// objects. The copy keeps the objects alive, so calls don't retain them.
final class MutexOfSlots: ClosureSignal, @unchecked Sendable {  // `tokens` is only used during setup
    final class Slot: Sendable {
        private let handler: @Sendable (Ping) -> Void

        init(_ handler: @escaping @Sendable (Ping) -> Void) { self.handler = handler }

        @inline(__always)
        func call(_ ping: Ping) { handler(ping) }
    }

    var tokens: [Slot] = []
    private let slots = Mutex<[Slot]>([])

    func connect<Kind: HandlerKind>(_ kind: Kind.Type, _ index: Int) -> Slot {
        add { $0.sink.add(Kind.weight(index)) }
    }

    func connectIdle() -> Slot {
        add { $0.sink.add(0) }
    }

    @inline(never)
    private func add(_ handler: @escaping @Sendable (Ping) -> Void) -> Slot {
        let slot = Slot(handler)
        slots.withLock { $0.append(slot) }
        return slot
    }

    @inline(never)
    func disconnect(_ slot: Slot) {
        slots.withLock { slots in
            if let index = slots.lastIndex(where: { $0 === slot }) { slots.remove(at: index) }
        }
    }

    func post(_ times: Int, to sink: Sink) {
        for _ in 0..<times { emit(Ping(sink: sink)) }
    }

    @inline(never)
    private func emit(_ ping: Ping) {
        let slots = slots.withLock { $0 }
        // The array keeps its slots alive until the end of the scope.
        unsafe slots.withUnsafeBufferPointer { slots in
            for index in slots.indices {
                unsafe Unmanaged.passUnretained(slots[index])._withUnsafeGuaranteedRef { $0.call(ping) }
            }
        }
    }

    func sibling() -> any Signal { MutexOfSlots() }
}
