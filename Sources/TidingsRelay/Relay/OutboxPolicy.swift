/// What becomes of notifications that are posted while as many wait to be sent as may.
///
/// Either way one of them is not sent, and that is a ``RelayFault/Kind/outboxFull``. Where losing none matters more than going on, call
/// ``NotificationRelay/publish(_:)``, which waits for room.
public enum OutboxPolicy: String, Hashable, CaseIterable, Sendable {
    /// The new one is not sent. Those that wait stay as they are.
    case refuseNewest
    /// The oldest one is not sent, and the new one takes its place at the end. If the oldest is on its way already, it may arrive.
    case dropOldest
}
