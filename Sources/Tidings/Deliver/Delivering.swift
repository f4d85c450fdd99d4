extension TypedNotificationCenter {
    /// Posts a notification and returns when every observer of it has finished, asynchronous ones too.
    ///
    /// Waited for are the calls of asynchronous observers that the post causes, those that are caused by what observers
    /// post while they run, and so on; not what a task posts that goes on after the observer which started it has returned.
    /// Sequences are reached, and never waited for: when their consumer has finished cannot be known.
    ///
    /// ```swift
    /// let receipt = await center.deliver(CacheCleared())
    /// ```
    ///
    /// An observer may deliver, also to itself. Where an observer's call would wait for itself, in the end, it waits for the
    /// others only, and the receipt is not complete: two observers that deliver to each other both get on.
    ///
    /// Cancelling the task that waits stops the waiting, not the deliveries. The receipt is then not complete.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: How many observers were reached, and what became of the asynchronous calls.
    @discardableResult
    public func deliver<N: TypedNotification>(
        _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
    ) async -> DeliveryReceipt {
        await WaitGraph.deliver { post(notification, fileID: fileID, line: line) }
    }

    /// Posts a main-actor notification, synchronously, and returns when the asynchronous observers of what its observers
    /// post have finished.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: How many observers were called, and what became of the asynchronous calls.
    @MainActor
    @discardableResult
    public func deliver<N: MainActorNotification>(
        _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
    ) async -> DeliveryReceipt {
        await WaitGraph.deliver { post(notification, fileID: fileID, line: line) }
    }
}

extension WaitGraph {
    /// Makes a post in a scope of its own, and waits for the scope.
    fileprivate static func deliver(_ post: () -> Int) async -> DeliveryReceipt {
        let context = CallContext.current
        let window = update { $0.openScope(from: context?.window) }
        let observers = CallContext.$current.withValue(
            CallContext(call: context?.call, window: window), operation: post)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                update { graph in
                    graph.close(window)
                    graph.wait(window.scope, .init(continuation: continuation, call: context?.call))
                }
            }
        } onCancel: {
            update { $0.abandon(window.scope) }
        }
        return DeliveryReceipt(
            observers: observers, asynchronousCalls: outcome.calls, discardedCalls: outcome.discardedCalls,
            isComplete: outcome.isComplete)
    }
}

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
