/// The center of Tidings itself: typed, ordered, and safe to use from any thread.
///
/// Make one for each part of a program that should be independent, or share ``default``. A post reaches only the observers of the
/// center on which it is made.
///
/// When a center is released, the observations in it end, and their tokens are no longer active.
public final class NativeNotificationCenter: TypedNotificationCenter {
    /// The center that a whole program shares.
    public static let `default` = NativeNotificationCenter()

    @usableFromInline let channels: ChannelDirectory

    /// The monitors of the center; of another center, if this one serves it.
    @usableFromInline package let monitoring: Monitoring

    /// The name that observers are registered for, if this center serves Foundation's center for one name; `nil` if they are
    /// registered for types.
    private let name: String?

    /// Whether the center delivers the notifications of another one. It replays none then, as it does not see all of them.
    @usableFromInline let isServing: Bool

    /// Whether the center keeps which observations have ended, also while no monitor is attached.
    private let keepsEnded: Bool

    /// Makes a center without observers.
    public convenience init() { self.init(keepsEnded: false) }

    /// Makes a center without observers that keeps which observations have ended, or does not.
    ///
    /// - Parameter keepsEnded: Whether ``endedObservations`` has them also while no monitor is attached. To register and cancel
    ///   an observer takes half as long again then.
    public convenience init(keepsEnded: Bool) {
        self.init(name: nil, monitoring: Monitoring(), keepsEnded: keepsEnded, isServing: false)
    }

    /// Makes a center that delivers the notifications of another one.
    ///
    /// - Parameters:
    ///   - name: The name that observers are registered for; `nil` if it is the notification type.
    ///   - monitoring: The monitors of the other center.
    ///   - keepsEnded: Whether the center keeps which observations have ended.
    ///   - isServing: Whether there is another center at all.
    package init(name: String?, monitoring: Monitoring, keepsEnded: Bool = true, isServing: Bool = true) {
        self.keepsEnded = keepsEnded
        self.isServing = isServing
        channels = ChannelDirectory()
        self.name = name
        self.monitoring = monitoring
    }

    deinit { channels.close() }

    /// Posts a notification to the observers that are registered for its type and its sender, in the order of registration.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - place: The line of source that posts it, for monitors.
    /// - Returns: How many observers were called. One whose owner this post finds dead counts a last time.
    @inlinable
    @discardableResult
    public func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        // The channel lives as long as the center, which must not end before the post has.
        defer { extendLifetime(self) }
        guard let channel = unsafe channels.channel(N.self) as Unmanaged<TypedChannel<N, N.Sender>>? else {
            return N.replay.isNone
                ? postUnobserved(notification, from: place) : postReplayed(notification, from: place)
        }
        return unsafe channel._withUnsafeGuaranteedRef { channel in
            channel.postIfUsual(notification) { $0.sender } ?? postUnusual(notification, from: place, in: channel)
        }
    }

    /// Registers a closure for a notification type; to observe, call one of the `addObserver` methods.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, or every sender.
    ///   - registration: The details of the observer, beside its closure.
    ///   - observer: The closure to call in the post.
    /// - Returns: The handle of the observation.
    @inlinable
    public func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: consuming @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        // The channel lives as long as the center.
        defer { extendLifetime(self) }
        let known = unsafe channels.channel(type) as Unmanaged<TypedChannel<N, N.Sender>>?
        if unsafe known == nil, let answer = answer(to: type) { return answer }
        var observer = Optional(Observer(observer))
        let entry =
            if let channel = unsafe known {
                unsafe channel._withUnsafeGuaranteedRef { add(registration, for: sender, to: $0, taking: &observer) }
            } else if N.replay.isNone || isServing {
                addFirst(registration, for: sender, taking: &observer)
            } else {
                addReplayed(registration, for: sender, taking: &observer)
            }
        // One way to the token, so that a caller that inlines this sees which object it gets.
        return EntryToken(entry)
    }

    /// The answer to an inquiry; `nil` for every other type.
    @usableFromInline
    func answer<N: TypedNotification>(to type: N.Type) -> (any ObserverHandle)? {
        type == CenterInquiry.self ? CenterAnswer(center: self) : nil
    }

    /// The channel of a type. If there is none, it is made.
    @usableFromInline
    func makeChannel<N: TypedNotification>(of type: N.Type) -> Unmanaged<TypedChannel<N, N.Sender>> {
        unsafe makeChannel(of: type, carrying: type, nil)
    }

    /// The channel of a type, or of what carries a type. If there is none, it is made.
    func makeChannel<N: TypedNotification>(
        of type: N.Type, carrying content: Any.Type, _ latest: LatestNotifications?
    ) -> Unmanaged<TypedChannel<N, N.Sender>> {
        unsafe channels.makeChannel(
            type, N.senderComparison.rule, hasMainActorSenders: content is any BelongsToMainActor.Type,
            interests: { monitoring.interests },
            makeHost: {
                CenterChannelHost(
                    center: ObjectIdentifier(self), monitoring: monitoring,
                    subject: name.map { NotificationSubject(named: $0) } ?? NotificationSubject(content),
                    keepsEnded: keepsEnded, latest: latest)
            })
    }
}
