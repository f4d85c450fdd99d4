/// The policy for buffering notifications that arrive faster than an asynchronous observer handles them.
///
/// A policy that drops notifications counts them; see ``NotificationToken/droppedCount``. The notification that an
/// observer is handling doesn't count towards the limit. A negative limit is a programming error.
@nonexhaustive
public enum BufferingPolicy: Hashable, Sendable {
    /// Buffers all notifications, in order, without a limit.
    case unbounded

    /// Buffers up to the given number of notifications. While the buffer is full, arriving notifications are dropped.
    case oldest(Int)

    /// Buffers up to the given number of notifications. In a full buffer, an arriving notification replaces the oldest.
    case latest(Int)

    /// Buffers all notifications like ``unbounded``. While the given number is buffered, posts with
    /// ``TypedNotificationCenter/postWaitingForRoom(_:within:clock:fileID:line:)`` are suspended until there is room.
    /// Other posts are never refused, so nothing is dropped. A limit of 0 counts as 1.
    case backPressure(Int)
}

extension BufferingPolicy {
    /// Whether dropping is the purpose of the policy, so that drops cause no warning. This is true of `.latest(1)`,
    /// `.latest(0)` and `.oldest(0)`. With any other limit, a drop means that the observer doesn't keep up.
    @export(implementation) public var intendsDrops: Bool { self == .latest(1) || keepsNothing }

    @usableFromInline
    package enum Admission {
        case append
        case dropOldest
        case dropNewest
    }

    @usableFromInline var keepsNothing: Bool { self == .oldest(0) || self == .latest(0) }

    @usableFromInline var limit: Int {
        switch self {
        case .unbounded, .backPressure: .max
        case .oldest(let limit), .latest(let limit): limit
        }
    }

    @usableFromInline
    package func check() {
        switch self {
        case .unbounded: break
        case .oldest(let limit), .latest(let limit), .backPressure(let limit):
            precondition(limit >= 0, "the limit of a buffering policy must not be negative")
        }
    }

    @export(implementation)
    package func admission(waiting count: Int) -> Admission {
        switch self {
        case .unbounded, .backPressure: .append
        case .oldest(let limit): count < limit ? .append : .dropNewest
        case .latest(let limit): count < limit ? .append : limit == 0 ? .dropNewest : .dropOldest
        }
    }
}
