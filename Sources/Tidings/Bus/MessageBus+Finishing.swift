extension MessageBus {
    /// Waits until all messages dispatched so far have been handled or the time limit has passed.
    ///
    /// No message is discarded, and the bus still accepts messages. A consumer that drains its own bus waits until the
    /// time limit has passed, because its own call is running. If a consumer was removed during a call, that call isn't
    /// waited for, even if the consumer was added again.
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task also ends the wait.
    ///   - clock: The clock that measures the time.
    /// - Returns: The state of the consumers that hadn't handled everything; empty if everything was handled.
    @discardableResult
    @export(implementation)
    public func drain(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> [ObservationStatus] {
        let subscribers = Array(state.withLock { $0.subscribers }.values)
        let unfinished = await QueueDrain.drain(subscribers.map(\.mailbox), within: limit, clock: clock)
        return unfinished.compactMap { ObservationStatus(subscribers[$0]) }.sorted { $0.owner ?? "" < $1.owner ?? "" }
    }

    /// Stops accepting messages, and waits until those dispatched so far are handled or the time limit has passed. The
    /// wait is the same as that of ``drain(within:clock:)``.
    ///
    /// A message that is dispatched later reaches no consumer. It is reported to monitors as a post to 0 observers.
    /// Finishing can't be undone. A consumer that hasn't finished by the time limit continues while it is alive.
    ///
    /// ```swift
    /// let left = await bus.finish(within: .seconds(5))
    /// for consumer in left { print("\(consumer.owner ?? "") has \(consumer.queued) messages left") }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task also ends the wait.
    ///   - clock: The clock that measures the time.
    /// - Returns: The state of the consumers that hadn't handled everything; empty if everything was handled.
    @discardableResult
    @export(implementation)
    public func finish(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> [ObservationStatus] {
        state.withLock { $0.isFinished = true }
        return await drain(within: limit, clock: clock)
    }
}
