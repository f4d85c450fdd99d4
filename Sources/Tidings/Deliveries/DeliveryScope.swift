/// Everything that one `deliver` waits for: the calls that its post causes, and those that they cause in turn.
@usableFromInline
struct DeliveryScope: Hashable, Sendable {
    let number: Int

    /// What belongs to no delivery, as nearly everything does.
    @usableFromInline static let none = DeliveryScope(number: 0)
}

/// A span of time in which posts belong to a scope: as long as the post of `deliver` lasts, or a call in its scope.
///
/// Tasks inherit it; those that go on longer find it closed.
@usableFromInline
struct DeliveryWindow: Hashable, Sendable {
    let number: Int
    let scope: DeliveryScope
}
