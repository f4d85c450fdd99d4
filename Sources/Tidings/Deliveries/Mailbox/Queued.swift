/// Something that waits in a mailbox, and the delivery that waits for it.
@usableFromInline
struct Queued<Element: Sendable>: Sendable {
    @usableFromInline let element: Element

    /// The delivery, or ``DeliveryScope/none``.
    @usableFromInline let scope: DeliveryScope

    @inlinable
    init(_ element: Element, scope: DeliveryScope) {
        self.element = element
        self.scope = scope
    }
}
