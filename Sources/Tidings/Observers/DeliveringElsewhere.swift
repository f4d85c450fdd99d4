extension TypedNotificationCenter {
    /// Calls a closure elsewhere with each notification of a type, after the post, one at a time, in the order posted.
    ///
    /// The notifications wait in a queue of the observer's own. A post never waits for it, and it delays no other observer.
    ///
    /// ```swift
    /// center.addObserver(on: .main, for: CacheCleared.self) { note in label.text = "" }.store(in: &tokens)
    /// center.addObserver(on: .task, for: CacheCleared.self) { note in await disk.clear() }.store(in: &tokens)
    /// center.addObserver(on: .queue(queue), for: CacheCleared.self) { note in try file.write() }.store(in: &tokens)
    /// ```
    ///
    /// The closure may await, except on a queue: the next notification waits until it has returned for this one. It may throw: an
    /// error ends nothing, unless `response` says so; it stands in the receipt of a `deliver` that waits for the call, and monitors
    /// are told. Cancelling the token does not cancel a call that is running.
    ///
    /// - Parameters:
    ///   - delivery: Where the observer runs: ``Delivery/main``, ``Delivery/task``, or, with TidingsFoundation, `.queue(_:)`. It
    ///     decides what the closure looks like.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post, on the thread that posts. A refused one never
    ///     waits, takes no room in the queue, and is not counted as delivered. `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
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

    /// Calls a closure elsewhere with its owner and each notification of a type, after the post, one at a time, in the order posted,
    /// for as long as the owner lives.
    ///
    /// The owner is held weakly, except during a call, and handed in, so that the closure need not capture it. An actor is an owner.
    /// When the owner is gone the observation is over, and what was queued is discarded.
    ///
    /// ```swift
    /// center.addObserver(self, on: .main, for: CacheCleared.self) { me, note in me.label.text = "" }
    /// center.addObserver(cache, on: .actor, for: CacheCleared.self) { cache, note in cache.clear() }
    /// center.addObserver(self, on: .queue(queue), for: CacheCleared.self) { me, note in try me.file.write() }
    /// ```
    ///
    /// The closure may await, except on a queue, and throw, as that of an observer with a token.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: Where the observer runs: ``OwnerDelivery/main``, ``OwnerDelivery/actor``, or, with TidingsFoundation,
    ///     `.queue(_:)`. It decides what the closure looks like.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post, on the thread that posts. A refused one never
    ///     waits, takes no room in the queue, and is not counted as delivered. `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
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
