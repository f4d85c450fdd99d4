/// Says that an observer runs on the main actor, as in `center.addObserver(on: .main, for: CacheCleared.self)`.
public enum MainActorDelivery: Sendable {
    /// On the main actor, some time after the post. `MainActor.self` says the same.
    case main
}

// Found by the compiler where someone guesses the spelling; its message names the right one.
extension MainActorDelivery {
    /// Cannot be used: the main actor is `.main`, or `MainActor.self`.
    @available(*, unavailable, renamed: "main")
    public static var mainActor: MainActorDelivery { .main }
}

extension TypedNotificationCenter {
    /// Calls a closure on the main actor with each notification of a type, one at a time, in the order posted.
    ///
    /// The closure always runs after the post, also when that is made on the main actor. For one that runs in the post, see
    /// ``MainActorNotification``.
    ///
    /// ```swift
    /// center.addObserver(on: .main, for: CacheCleared.self) { _ in label.text = "" }.store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - delivery: `.main`.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post, on the thread that posts. A refused one never
    ///     waits, takes no room in the queue, and is not counted as delivered. `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: MainActorDelivery, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken {
        observe(
            .init(type, .everyone, .mainActor, where: condition, buffering: policy, fileID, line), onMainActor: observer
        )
    }

    /// Calls a closure on the main actor with each notification of a type from one sender, one at a time, in the order posted.
    ///
    /// - Parameters:
    ///   - delivery: `.main`.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: MainActorDelivery, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            .init(type, sender, .mainActor, where: condition, buffering: policy, fileID, line), onMainActor: observer)
    }

    /// Calls a closure on the main actor with its owner and each notification of a type, one at a time, in the order posted,
    /// for as long as the owner lives.
    ///
    /// The owner is held weakly and handed in, so that the closure need not capture it. When it is gone the observation is
    /// over, and what was queued is discarded.
    ///
    /// ```swift
    /// center.addObserver(self, on: .main, for: CacheCleared.self) { me, _ in me.label.text = "" }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: `.main`.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, on delivery: MainActorDelivery, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) -> Void
    ) -> NotificationToken {
        observe(
            .init(type, .everyone, .mainActor, where: condition, buffering: policy, fileID, line), owner: owner,
            onMainActor: observer)
    }

    /// Calls a closure on the main actor with its owner and each notification of a type from one sender, one at a time, in the
    /// order posted, for as long as the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: `.main`.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, on delivery: MainActorDelivery, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            .init(type, sender, .mainActor, where: condition, buffering: policy, fileID, line), owner: owner,
            onMainActor: observer)
    }

    @inlinable
    func observe<N: TypedNotification & Sendable>(
        _ registration: AsynchronousRegistration<N>, onMainActor observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken {
        observe(registration, calling: observer) { mailbox, observer in
            await mailbox.runOnMainActor { observer.closure }
        }
    }

    @inlinable
    func observe<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ registration: AsynchronousRegistration<N>, owner: Owner,
        onMainActor observer: @escaping @MainActor (Owner, N) -> Void
    ) -> NotificationToken {
        observe(registration, owner: owner, calling: observer) { mailbox, owner, observer in
            await mailbox.runOnMainActor { observer.closure.map { closure in { note in closure(owner, note) } } }
        }
    }
}

extension Mailbox {
    /// Calls a closure on the main actor with what waits, for a turn.
    ///
    /// - Parameter observer: Takes hold of the closure, once the turn is on the main actor; `nil` if it was released.
    /// - Returns: Whether to call this method again, when others have had their turn.
    @MainActor
    @inlinable
    func runOnMainActor(_ observer: @Sendable () -> (@MainActor @Sendable (Element) -> Void)?) -> Bool {
        guard let observer = observer() else { return false }
        return run { element in observer(element) }
    }
}
