/// The center that keeps every promise: typed, ordered, safe to use from any thread.
///
/// Make one for each part of a program that should be on its own, or share ``default``. Centers are independent of each
/// other: a post reaches the observers of the center it is posted to.
///
/// A center can be let go with observers in it; their tokens are then no longer active.
public final class NativeNotificationCenter: TypedNotificationCenter {
    /// The center that a whole program shares.
    public static let `default` = NativeNotificationCenter()

    private let channels = Lock<[ObjectIdentifier: AnyChannel]>([:])

    /// Makes a center without observers.
    public init() {}

    deinit {
        let channels = channels.withLock { $0.take() }
        for channel in channels.values { channel.cancelAll() }
    }

    /// Posts a notification to the observers that are registered for its type and its sender, in their order.
    ///
    /// - Parameter notification: The notification.
    /// - Returns: How many observers were called.
    @discardableResult
    public func post<N: TypedNotification>(_ notification: N) -> Int {
        let channel = channels.withLock { $0[ObjectIdentifier(N.self)] }
        return (channel as? Channel<N>)?.post(notification) ?? 0
    }

    /// Registers a closure for a notification type; to observe, call one of the `addObserver` methods.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited; `nil` for every sender.
    ///   - registration: What is known about the observer beside its closure.
    ///   - observer: The closure to call in the post.
    /// - Returns: The observation.
    public func observe<N: TypedNotification>(
        _ type: N.Type, sender: N.Sender?, registration: Registration, using observer: @escaping @Sendable (N) -> Void
    ) -> any Observation {
        let channel = channels.withLock { channels in
            if let channel = channels[ObjectIdentifier(N.self)] { return channel }
            let channel = Channel<N>(center: ObjectIdentifier(self))
            channels[ObjectIdentifier(N.self)] = channel
            return channel
        }
        guard let channel = channel as? Channel<N> else { preconditionFailure("a channel is found by its type") }
        return channel.add(sender: sender, registration: registration, call: observer)
    }
}

extension Dictionary {
    /// Empties the dictionary and returns what was in it.
    fileprivate mutating func take() -> Self {
        defer { self = [:] }
        return self
    }
}
