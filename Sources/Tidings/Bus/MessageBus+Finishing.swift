extension MessageBus {
    /// Returns when everything that was dispatched before has been handled, or when the time is over.
    ///
    /// Nothing is discarded, and messages are taken as before. A consumer that drains its own bus waits for its own call in vain,
    /// until the time is over.
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task ends the wait, too.
    ///   - clock: The clock that measures the time.
    /// - Returns: The consumers that had not handled everything, as they stand; none if all was handled.
    @discardableResult
    @export(implementation)
    public func drain(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> [ObservationStatus] {
        let subscribers = Array(state.withLock { $0.subscribers }.values)
        let unfinished = await QueueDrain.drain(subscribers.map(\.mailbox), within: limit, clock: clock)
        return unfinished.compactMap { ObservationStatus(subscribers[$0]) }.sorted { $0.owner ?? "" < $1.owner ?? "" }
    }

    /// Takes no further message, and returns when everything that was dispatched before has been handled, or when the time is
    /// over.
    ///
    /// From the beginning of this call on, a message that is dispatched reaches no consumer, and monitors are told of a post to 0
    /// observers. There is no way back. A consumer that has not handled everything when the time is over goes on, if it can.
    ///
    /// ```swift
    /// let left = await bus.finish(within: .seconds(5))
    /// for consumer in left { print("\(consumer.owner ?? "") has \(consumer.queued) messages left") }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task ends the wait, too.
    ///   - clock: The clock that measures the time.
    /// - Returns: The consumers that had not handled everything, as they stand; none if all was handled.
    @discardableResult
    @export(implementation)
    public func finish(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> [ObservationStatus] {
        state.withLock { $0.isFinished = true }
        return await drain(within: limit, clock: clock)
    }
}
