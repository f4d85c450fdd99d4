import Synchronization

/// An array of handlers that a mutex protects. Handlers are never removed. A call doesn't retain its handler, as in
/// `MutexOfSlots`.
final class HandlerList<Message>: Sendable {
    private final class Slot: Sendable {
        let handler: @Sendable (Message) -> Void

        init(_ handler: @escaping @Sendable (Message) -> Void) { self.handler = handler }
    }

    private let slots = Mutex<[Slot]>([])

    func add(_ handler: @escaping @Sendable (Message) -> Void) {
        let slot = Slot(handler)
        slots.withLock { $0.append(slot) }
    }

    @inline(never)
    func emit(_ message: Message) {
        let slots = slots.withLock { $0 }
        // The array keeps its slots alive until the end of the scope.
        unsafe slots.withUnsafeBufferPointer { slots in
            for index in slots.indices {
                unsafe Unmanaged.passUnretained(slots[index])._withUnsafeGuaranteedRef { $0.handler(message) }
            }
        }
    }
}
