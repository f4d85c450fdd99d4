/// Something that waits in a mailbox, and who wants to know what becomes of it: a delivery that waits for it, or monitors.
@usableFromInline
struct Queued<Element: Sendable>: Sendable {
    @usableFromInline let element: Element

    /// 0, or twice the number of a delivery, or one more than twice the slot of a trace.
    @usableFromInline let word: UInt

    @inlinable
    init(_ element: Element, scope: DeliveryScope) {
        self.element = element
        word = UInt(bitPattern: scope.number) << 1
    }

    /// Something whose mailbox has in a slot what monitors know of it.
    init(_ element: Element, slot: Int) {
        self.element = element
        word = UInt(bitPattern: slot) << 1 | 1
    }

    /// Whether nobody wants to know.
    @inlinable var isPlain: Bool { word == 0 }

    /// Whether monitors want to know; the delivery is then known to the trace.
    @inlinable var isTraced: Bool { word & 1 != 0 }

    /// The delivery, or ``DeliveryScope/none``.
    @inlinable var scope: DeliveryScope { isTraced ? .none : DeliveryScope(number: Int(bitPattern: word >> 1)) }

    var slot: Int? { isTraced ? Int(bitPattern: word >> 1) : nil }
}
