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

    /// All of them wait, as with ``unbounded``, and while so many do, whoever posts with
    /// ``TypedNotificationCenter/post(_:waitingFor:fileID:line:)`` is suspended until there is room. A post that does not wait is not
    /// refused, so nothing is dropped. A limit of 0 counts as 1.
    case backPressure(Int)
}

extension BufferingPolicy {
    /// What a policy does with an element that arrives.
    @usableFromInline
    package enum Admission {
        case append
        case dropOldest
        case dropNewest
    }

    /// Whether nothing ever waits.
    @usableFromInline var keepsNothing: Bool { self == .oldest(0) || self == .latest(0) }

    /// How many may wait at most.
    @usableFromInline var limit: Int {
        switch self {
        case .unbounded, .backPressure: .max
        case .oldest(let limit), .latest(let limit): limit
        }
    }

    /// Stops the program if the limit makes no sense.
    @usableFromInline
    package func check() {
        switch self {
        case .unbounded: break
        case .oldest(let limit), .latest(let limit), .backPressure(let limit):
            precondition(limit >= 0, "a limit is not negative")
        }
    }

    /// What becomes of an element that arrives while so many wait.
    @export(implementation)
    package func admission(waiting count: Int) -> Admission {
        switch self {
        case .unbounded, .backPressure: .append
        case .oldest(let limit): count < limit ? .append : .dropNewest
        case .latest(let limit): count < limit ? .append : limit == 0 ? .dropNewest : .dropOldest
        }
    }
}
