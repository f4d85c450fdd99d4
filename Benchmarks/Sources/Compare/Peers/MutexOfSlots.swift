import Synchronization

/// The best of the simple ones: objects in an array under a mutex. The array is copied before they are called, which keeps
/// them alive, so no object is retained.
final class MutexOfSlots: Signal {
    private final class Slot: Sendable {
        private let handler: @Sendable (Ping) -> Void

        init(_ handler: @escaping @Sendable (Ping) -> Void) { self.handler = handler }

        @inline(__always)
        func call(_ ping: Ping) { handler(ping) }
    }

    private let slots = Mutex<[Slot]>([])

    func add(_ index: Int) { _ = connect(index) }

    func addAndCancel(_ times: Int) {
        for _ in 0..<times { disconnect(connect(Handler.idle)) }
    }

    func post(_ times: Int, to sink: Sink) {
        for _ in 0..<times { emit(Ping(sink: sink)) }
    }

    func sibling() -> any Signal { MutexOfSlots() }

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

    @inline(never)
    private func connect(_ index: Int) -> Slot {
        let slot = Slot(Handler.make(index))
        slots.withLock { $0.append(slot) }
        return slot
    }

    @inline(never)
    private func disconnect(_ slot: Slot) {
        slots.withLock { slots in
            if let index = slots.lastIndex(where: { $0 === slot }) { slots.remove(at: index) }
        }
    }
}
