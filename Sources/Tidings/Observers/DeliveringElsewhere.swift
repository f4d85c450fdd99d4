extension TypedNotificationCenter {
    /// Calls a closure asynchronously with each notification of a type, one at a time, in the order posted. Each
    /// observer has its own queue, so an observer delays neither posts nor other observers.
    ///
    /// ```swift
    /// center.addObserver(on: .main, for: CacheCleared.self) { note in label.text = "" }.store(in: &tokens)
    /// center.addObserver(on: .task, for: CacheCleared.self) { note in await disk.clear() }.store(in: &tokens)
    /// center.addObserver(on: .queue(queue), for: CacheCleared.self) { note in try file.write() }.store(in: &tokens)
    /// ```
    ///
    /// The closure may throw. Except on a queue, it may also await. The next notification waits until the closure has
    /// returned. An error doesn't end the observation, unless `response` ends it. The error is contained in the receipt
    /// of a `deliver` that waits for the call, and monitors receive it. Cancelling the token doesn't cancel a running
    /// call.
    ///
    /// - Parameters:
    ///   - delivery: Where the observer runs: ``Delivery/main``, ``Delivery/task`` or, with TidingsFoundation,
    ///     `.queue(_:)`. The delivery determines the type of the closure.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit.
    ///   - condition: Evaluated in each post. A notification it rejects isn't delivered or counted. `nil` accepts all.
    ///   - policy: The policy for buffering notifications that arrive faster than the closure handles them.
    ///   - response: The response to an error that the closure throws. Every response also reports the error.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which keeps the observer alive.
    @inline(__always)
    @export(implementation)
    public func addObserver<N: NotificationContent & Sendable, Handler: Sendable>(
        on delivery: Delivery<N, Handler>, for type: N.Type, sender: sending N.Sender? = nil,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: Handler
    ) -> NotificationToken {
        let sender = SenderFilter(sending: sender, of: type)
        let registration = AsynchronousRegistration<N>(
            delivery.mode, where: condition, buffering: policy, onFailure: response, fileID, line
        ) { registration, receive in
            observe(content: type, sender: sender, registration: registration, using: receive)
        }
        return delivery.register(registration, ObserverClosure(observer))
    }

    /// Calls a closure asynchronously with its owner and each notification of a type.
    ///
    /// The closure receives one notification at a time, in the order posted. The owner is held weakly, except during a
    /// call, and passed to the closure, which doesn't have to capture it. An actor can be the owner. When the owner is
    /// deallocated, the observation ends and its queue is discarded.
    ///
    /// ```swift
    /// center.addObserver(self, on: .main, for: CacheCleared.self) { me, note in me.label.text = "" }
    /// center.addObserver(cache, on: .actor, for: CacheCleared.self) { cache, note in cache.clear() }
    /// center.addObserver(self, on: .queue(queue), for: CacheCleared.self) { me, note in try me.file.write() }
    /// ```
    ///
    /// As for an observer with a token, the closure may throw and, unless it runs on a queue, await.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: Where the observer runs: ``OwnerDelivery/main``, ``OwnerDelivery/actor`` or, with
    ///     TidingsFoundation, `.queue(_:)`. The delivery determines the type of the closure.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit.
    ///   - condition: Evaluated in each post. A notification it rejects isn't delivered or counted. `nil` accepts all.
    ///   - policy: The policy for buffering notifications that arrive faster than the closure handles them.
    ///   - response: The response to an error that the closure throws. Every response also reports the error.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token that can end the observation earlier. You can discard it.
    @inline(__always)
    @export(implementation)
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: NotificationContent & Sendable, Handler: Sendable>(
        _ owner: Owner, on delivery: OwnerDelivery<Owner, N, Handler>, for type: N.Type,
        sender: sending N.Sender? = nil, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: Handler
    ) -> NotificationToken {
        let sender = SenderFilter(sending: sender, of: type)
        let registration = AsynchronousRegistration<N>(
            delivery.mode, where: condition, buffering: policy, onFailure: response, fileID, line
        ) { registration, receive in
            observe(content: type, sender: sender, registration: registration, using: receive)
        }
        return delivery.register(registration, owner, ObserverClosure(observer))
    }
}
