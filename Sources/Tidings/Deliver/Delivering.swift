extension TypedNotificationCenter {
    /// Posts a notification, and waits until all observers, including asynchronous ones, have finished or the time
    /// limit has passed.
    ///
    /// This method waits for the calls of asynchronous observers that result from the post, for the calls that result
    /// from posts made in those calls, and so on. It doesn't wait for posts that a task makes after the end of the call
    /// that started the task. Sequences receive the notification, but the method doesn't wait for their consumers,
    /// because it can't detect when they have finished. Nor does it wait for notifications that are queued for a
    /// Combine subscriber, which may never demand them.
    ///
    /// ```swift
    /// let receipt = await center.deliver(CacheCleared(), within: .seconds(2))
    /// for observer in receipt.unfinished { print("still at it: \(observer)") }
    /// ```
    ///
    /// An observer can call this method, even for the notification type that it observes. The delivery doesn't wait for
    /// that observer, whose running call waits for the delivery, and the receipt is then incomplete. Two observers can
    /// also deliver to each other without a deadlock.
    ///
    /// If an observer throws, the delivery continues, and the receipt contains the error and the observer. If the time
    /// limit passes or the task is cancelled, the calls continue, and the receipt lists unfinished observers.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - limit: How long to wait, from the beginning of the post; `nil` for no limit. The post is never cut short.
    ///   - clock: The clock that measures the time.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The number of observers reached, and the results of the asynchronous calls.
    @discardableResult
    public func deliver<N: TypedNotification>(
        _ notification: N, within limit: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line
    ) async -> DeliveryReceipt {
        await WaitGraph.deliver(within: limit, clock) { post(notification, fileID: fileID, line: line) }
    }

    /// Posts a main-actor notification, and waits until all observers, including asynchronous ones, have finished or
    /// the time limit has passed.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - limit: How long to wait, from the beginning of the post; `nil` for no limit. The post is never cut short.
    ///   - clock: The clock that measures the time.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The number of observers reached, and the results of the asynchronous calls.
    @MainActor
    @discardableResult
    public func deliver<N: MainActorNotification>(
        _ notification: N, within limit: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line
    ) async -> DeliveryReceipt {
        await WaitGraph.deliver(within: limit, clock) { post(notification, fileID: fileID, line: line) }
    }
}

extension WaitGraph {
    fileprivate static func deliver(
        within limit: Duration?, _ clock: any Clock<Duration>, _ post: () -> Int
    ) async -> DeliveryReceipt {
        let context = CallContext.current
        let window = update { $0.openScope(from: context?.window) }
        // If the scope ended earlier, the closure has no effect, because no later scope has the same number.
        let limit = limit.map { WaitLimit($0, clock) { update { $0.abandon(window.scope) } } }
        let observers = CallContext.$current.withValue(
            CallContext(call: context?.call, window: window), operation: post)
        // The window is closed now, because later posts by tasks that the post started aren't part of the delivery.
        update { $0.close(window) }
        let receipt: DeliveryReceipt = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = ScopeState.Waiter(observers: observers, call: context?.call) {
                    continuation.resume(returning: $0)
                }
                update { $0.wait(window.scope, waiter) }
            }
        } onCancel: {
            update { $0.abandon(window.scope) }
        }
        limit?.end()
        return receipt
    }

    /// Begins a delivery. `isTracked` marks the scope of a ``TrackedDelivery``. Such scopes are never nested in each
    /// other. `call` waits for the delivery from now on.
    mutating func openScope(
        from window: DeliveryWindow?, isTracked: Bool = false, awaitedBy call: Call? = nil
    ) -> DeliveryWindow {
        let scope = DeliveryScope(number: makeNumber())
        var parent = window.flatMap { windows.contains($0.number) && $0.scope != .none ? $0.scope : nil }
        if isTracked, let state = parent.flatMap({ scopes[$0] }), state.isTracked { parent = state.parent }
        scopes[scope] = ScopeState(parent: parent, isTracked: isTracked, earlyCall: call)
        if let call { beginWait(call, for: .scope(scope)) }
        if let parent { scopes[parent]?.begin(.scope(scope)) }
        return openWindow(in: scope)
    }

    mutating func wait(_ scope: DeliveryScope, _ waiter: ScopeState.Waiter) {
        guard let state = scopes[scope] else { return }
        state.waiter = waiter
        if let call = waiter.call {
            let excused = state.outstanding.keys.filter { closesCycle(call, to: $0) }
            for node in excused { state.excuse(node) }
            beginWait(call, for: .scope(scope))
        }
        settle(scope)
    }

    mutating func abandon(_ scope: DeliveryScope) {
        scopes[scope]?.isAbandoned = true
        settle(scope)
    }
}
