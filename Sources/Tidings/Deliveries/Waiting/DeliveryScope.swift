/// Everything that one `deliver` waits for: the calls that its post causes, and those that they cause in turn.
@usableFromInline
struct DeliveryScope: Hashable, Sendable {
    @usableFromInline let number: Int

    @inlinable
    init(number: Int) { self.number = number }

    /// What belongs to no delivery, as nearly everything does.
    @inlinable static var none: DeliveryScope { DeliveryScope(number: 0) }
}

/// A span of time in which posts belong to a scope: as long as the post of `deliver` lasts, or a call in its scope.
///
/// Tasks inherit it; those that go on longer find it closed.
@usableFromInline
struct DeliveryWindow: Hashable, Sendable {
    let number: Int
    let scope: DeliveryScope
}
