/// What became of a notification that was posted with `deliver`.
///
/// Calls are counted with those that they caused in turn: what observers posted while they ran, to any depth.
public struct DeliveryReceipt: Hashable, Sendable {
    /// How many observers the post reached. Sequences count, and are not waited for; and so does, a last time, an observer
    /// whose owner the post finds dead.
    public let observers: Int

    /// How many calls of asynchronous observers have run.
    public let asynchronousCalls: Int

    /// How many calls of asynchronous observers will not run, as a buffering policy dropped them or their observation ended.
    public let discardedCalls: Int

    /// Whether every call has run or was discarded. False if the task that waited was cancelled, and if a call could not be
    /// waited for because it waits for the caller.
    public let isComplete: Bool
}
