/// What becomes of notifications that arrive faster than an asynchronous observer takes them.
///
/// A policy that drops counts what it dropped: see ``NotificationToken/droppedCount`` and
/// ``NotificationSequence/droppedCount``. The notification that an observer is working on no longer waits and is not
/// counted against the limit. A negative limit is a programmer's error.
public enum BufferingPolicy: Hashable, Sendable {
    /// All of them wait, in order, however many there are.
    case unbounded

    /// At most so many wait; while they do, those that arrive are dropped.
    case oldest(Int)

    /// At most so many wait; while they do, the oldest is dropped for each that arrives.
    case latest(Int)

    /// Whether nothing ever waits.
    var keepsNothing: Bool { self == .oldest(0) || self == .latest(0) }
}
