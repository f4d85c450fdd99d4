/// When an observer was registered, as a number.
///
/// An instant of the continuous clock has no fixed layout. Nor would a description that has one as a stored property, and each copy of
/// it would ask the runtime.
@usableFromInline
package struct RegistrationTime: Sendable {
    /// The first registration that was timed.
    private static let first = ContinuousClock.now

    /// The nanoseconds since then.
    private let nanoseconds: Int64

    /// The time of a registration that was not timed.
    static var unknown: RegistrationTime { RegistrationTime(nanoseconds: 0) }

    /// The time of this moment.
    @usableFromInline static var now: RegistrationTime {
        let first = first
        return RegistrationTime(nanoseconds: Int64(first.duration(to: .now) / .nanoseconds(1)))
    }

    /// The moment.
    var instant: ContinuousClock.Instant { Self.first + .nanoseconds(nanoseconds) }
}
