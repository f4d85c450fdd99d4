extension TypedNotificationCenter {
    /// Posts a notification and returns when every observer of it has finished, asynchronous ones too, or when the time is over.
    ///
    /// Waited for are the calls of asynchronous observers that the post causes, those that are caused by what observers
    /// post while they run, and so on; not what a task posts that goes on after the observer which started it has returned.
    /// Sequences are reached, and never waited for: when their consumer has finished cannot be known.
    ///
    /// ```swift
    /// let receipt = await center.deliver(CacheCleared(), within: .seconds(2))
    /// for observer in receipt.unfinished { print("still at it: \(observer)") }
    /// ```
    ///
    /// An observer may deliver, also to itself. Where an observer's call would wait for itself, in the end, it waits for the
    /// others only, and the receipt is not complete: two observers that deliver to each other both get on.
    ///
    /// An error that an observer throws ends nothing: it stands in the receipt, with the place of the observer.
    ///
    /// When the time is over, or the task that waits is cancelled, the waiting ends, and the deliveries go on. The receipt is then not
    /// complete, and names the observers that had not finished.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - limit: How long to wait, from the beginning of the post, which is not cut short; `nil` for as long as it takes.
    ///   - clock: The clock that measures the time.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: How many observers were reached, and what became of the asynchronous calls.
    @discardableResult
    public func deliver<N: TypedNotification>(
        _ notification: N, within limit: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line
    ) async -> DeliveryReceipt {
        await WaitGraph.deliver(within: limit, clock) { post(notification, fileID: fileID, line: line) }
    }

    /// Posts a main-actor notification, synchronously, and returns when the asynchronous observers of what its observers
    /// post have finished, or when the time is over.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - limit: How long to wait, from the beginning of the post, which is not cut short; `nil` for as long as it takes.
    ///   - clock: The clock that measures the time.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: How many observers were called, and what became of the asynchronous calls.
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
    /// Makes a post in a scope of its own, and waits for the scope.
    fileprivate static func deliver(
        within limit: Duration?, _ clock: any Clock<Duration>, _ post: () -> Int
    ) async -> DeliveryReceipt {
        let context = CallContext.current
        let window = update { $0.openScope(from: context?.window) }
        // A scope that was settled meanwhile is unknown by then, as no number is given twice.
        let limit = limit.map { WaitLimit($0, clock) { update { $0.abandon(window.scope) } } }
        let observers = CallContext.$current.withValue(
            CallContext(call: context?.call, window: window), operation: post)
        // A step of its own, before anything can be suspended: what a task posts that outlives the post is not part of it.
        update { $0.close(window) }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                update { $0.wait(window.scope, .init(continuation: continuation, call: context?.call)) }
            }
        } onCancel: {
            update { $0.abandon(window.scope) }
        }
        limit?.end()
        return DeliveryReceipt(observers: observers, outcome)
    }

    /// Opens a scope with a window for its post.
    ///
    /// - Parameters:
    ///   - window: The window in which that happens.
    ///   - isTracked: Whether the scope is a single hand-over. One is never part of another.
    /// - Returns: The window.
    mutating func openScope(from window: DeliveryWindow?, isTracked: Bool = false) -> DeliveryWindow {
        let scope = DeliveryScope(number: makeNumber())
        var parent = window.flatMap { windows.contains($0) && $0.scope != .none ? $0.scope : nil }
        if isTracked, let state = parent.flatMap({ scopes[$0] }), state.isTracked { parent = state.parent }
        scopes[scope] = ScopeState(parent: parent, isTracked: isTracked)
        if let parent { scopes[parent]?.outstanding[.scope(scope)] = 1 }
        return openWindow(in: scope)
    }

    /// Waits for a scope whose post has been made.
    mutating func wait(_ scope: DeliveryScope, _ waiter: ScopeState.Waiter) {
        scopes[scope]?.waiter = waiter
        if let call = waiter.call, let outstanding = scopes[scope]?.outstanding.keys {
            let excused = outstanding.filter { closesCycle(call, to: $0) }
            scopes[scope]?.excused.formUnion(excused)
            beginWait(call, for: .scope(scope))
        }
        settle(scope)
    }

    /// Ends the wait for a scope, as the task that waits was cancelled or the time is over.
    mutating func abandon(_ scope: DeliveryScope) {
        scopes[scope]?.isAbandoned = true
        settle(scope)
    }
}
