public import Synchronization

/// The center that keeps every promise: typed, ordered, safe to use from any thread.
///
/// Make one for each part of a program that should be on its own, or share ``default``. Centers are independent of each
/// other: a post reaches the observers of the center it is posted to.
///
/// A center can be let go with observers in it; their tokens are then no longer active.
public final class NativeNotificationCenter: TypedNotificationCenter {
    /// The center that a whole program shares.
    public static let `default` = NativeNotificationCenter()

    @usableFromInline let channels: ChannelDirectory

    /// Makes a center without observers.
    public init() { channels = ChannelDirectory() }

    /// Makes a center that serves another one.
    ///
    /// - Parameters:
    ///   - name: What its observers are registered for, if that is not the type of what is posted.
    ///   - monitoring: The monitors of the other one.
    package init(name: String?, monitoring: Monitoring) {
        channels = ChannelDirectory(name: name, monitoring: monitoring)
    }

    deinit { channels.close() }

    /// Posts a notification to the observers that are registered for its type and its sender, in their order.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - place: Where the source posts it, for monitors.
    /// - Returns: How many observers were called. One whose owner this post finds dead counts a last time.
    @inlinable
    @discardableResult
    public func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        // The channel lives as long as the center, which must not end before the post has.
        defer { extendLifetime(self) }
        guard let channel = unsafe channels.channel(of: N.self) else {
            return channels.monitored.load(ordering: .relaxed) ? postMonitored(notification, from: place) : 0
        }
        return unsafe channel._withUnsafeGuaranteedRef { $0.post(notification, from: place) }
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
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        register(type, sender: sender.sender, registration: registration, isToken: false, using: observer)
    }

    /// Calls a closure in every post of a notification type, synchronously, on the thread that posts.
    ///
    /// This is the method that every center has, written out for speed.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification>(
        for type: N.Type, sender: N.Sender? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: consuming @escaping @Sendable (N) -> Void
    ) -> NotificationToken {
        register(
            type, sender: sender, registration: ObserverRegistration(fileID: fileID, line: line), isToken: true,
            using: observer
        )
    }

    @inlinable
    func register<N: TypedNotification>(
        _ type: N.Type, sender: N.Sender?, registration: ObserverRegistration, isToken: Bool,
        using observer: consuming @escaping @Sendable (N) -> Void
    ) -> EntryToken {
        // The channel lives as long as the center.
        defer { extendLifetime(self) }
        let channel =
            unsafe channels.channel(of: type) ?? channels.makeChannel(of: type, center: ObjectIdentifier(self))
        var observer = Optional(Observer(observer))
        return unsafe channel._withUnsafeGuaranteedRef {
            $0.add(sender: sender, registration: registration, isToken: isToken, taking: &observer)
        }
    }
}
