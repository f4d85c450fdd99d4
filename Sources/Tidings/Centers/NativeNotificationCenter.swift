/// The center of Tidings: typed, ordered, and safe to use from any thread.
///
/// Create one for each independent part of a program, or share ``default``. A post reaches only the observers of the
/// center on which it is made.
///
/// When a center is deallocated, its observations end, and their tokens are no longer active.
public final class NativeNotificationCenter: TypedNotificationCenter {
    /// The center that is shared by the whole program.
    public static let `default` = NativeNotificationCenter()

    @usableFromInline let channels: ChannelDirectory
    @usableFromInline package let monitoring: Monitoring

    /// The name for which observers are registered, if this center serves Foundation's center; otherwise `nil`.
    private let name: String?

    /// Whether another center, such as Foundation's, registers its observers in this one. A serving
    /// center receives only some of the posts, so it doesn't replay notifications.
    @usableFromInline let isServing: Bool

    private let keepsEnded: Bool
    @usableFromInline let replays: [ObjectIdentifier: NotificationReplay]?

    /// Creates a center without observers.
    public convenience init() { self.init(keepsEnded: false) }

    /// Creates a center without observers.
    ///
    /// - Parameter keepsEnded: Whether ``endedObservations`` is recorded even while no monitor is attached. Registering
    ///   and cancelling an observer then takes about 50 % longer.
    public convenience init(keepsEnded: Bool) {
        self.init(name: nil, monitoring: Monitoring(), keepsEnded: keepsEnded, isServing: false)
    }

    /// Creates a center that replays the given types. Use it for types that another module declares, or that only this
    /// center replays. For the requirements on such types, see <doc:Replay>.
    ///
    /// ```swift
    /// let session = NativeNotificationCenter(replaying: [.latest(of: ConnectionChanged.self)])
    /// ```
    ///
    /// - Parameters:
    ///   - replays: One value for each type, which specifies how the type is replayed.
    ///   - keepsEnded: Whether ``endedObservations`` lists ended observations even while no monitor is attached.
    public convenience init(replaying replays: [NotificationReplay], keepsEnded: Bool = false) {
        self.init(
            name: nil, monitoring: Monitoring(), keepsEnded: keepsEnded, isServing: false, replays: replays)
    }

    package init(
        name: String?, monitoring: Monitoring, keepsEnded: Bool = true, isServing: Bool = true,
        replays: [NotificationReplay] = []
    ) {
        var chosen: [ObjectIdentifier: NotificationReplay] = [:]
        for replay in replays { if let type = replay.type { chosen[ObjectIdentifier(type)] = replay } }
        self.replays = chosen.isEmpty ? nil : chosen
        self.keepsEnded = keepsEnded
        self.isServing = isServing
        channels = ChannelDirectory()
        self.name = name
        self.monitoring = monitoring
    }

    deinit { channels.close() }

    /// Posts a notification to the observers of its type and its sender, in the order of registration.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - place: The file and line of the post, for monitors.
    /// - Returns: The number of observers called, including any whose owner turns out to be deallocated.
    @inlinable
    @discardableResult
    public func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        _isConcrete(N.self)
            ? postSpecialized(notification, from: place) : postUnspecialized(notification, from: place)
    }

    /// Posts from code that isn't specialized for the type, such as code that uses `any TypedNotificationCenter`.
    /// There, looking up generic types takes longer than the post, so `postIfPlain` makes most posts without a lookup.
    @usableFromInline
    func postUnspecialized<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        // The channel lives as long as the center, which mustn't be deallocated before the post has ended.
        defer { extendLifetime(self) }
        if let channel = unsafe channels.anyChannel(ObjectIdentifier(N.self)) {
            if let calls = unsafe channel._withUnsafeGuaranteedRef({ unsafe $0.postIfPlain(notification) }) {
                return calls
            }
        }
        return postSpecialized(notification, from: place)
    }

    @inlinable
    @inline(__always)
    func postSpecialized<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        // The channel lives as long as the center, which mustn't be deallocated before the post has ended.
        defer { extendLifetime(self) }
        guard let channel = unsafe channels.channel(N.self) as Unmanaged<TypedChannel<N, N.Sender>>? else {
            return postWithoutChannel(notification, from: place)
        }
        return unsafe channel._withUnsafeGuaranteedRef { channel in
            channel.postIfUsual(notification) { $0.sender } ?? postUnusual(notification, from: place, in: channel)
        }
    }

    /// Posts a notification whose type has no channel. Not inlined, so that `post` is small enough to be inlined.
    @inlinable
    @inline(never)
    func postWithoutChannel<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        if !N.replay.isNone { return postReplayed(notification, from: place) }
        return replays == nil && !isMonitored ? 0 : postUnobserved(notification, from: place)
    }

    /// Registers a closure for a notification type. To observe, call one of the `addObserver` methods.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, or no limit.
    ///   - registration: The details of the observer besides its closure.
    ///   - observer: The closure to call during the post.
    /// - Returns: The handle of the observation.
    @inlinable
    public func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: consuming @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        // The channel lives as long as the center.
        defer { extendLifetime(self) }
        let known = unsafe channels.channel(type) as Unmanaged<TypedChannel<N, N.Sender>>?
        var observer = Optional(Observer(observer))
        let entry =
            if let channel = unsafe known {
                unsafe channel._withUnsafeGuaranteedRef { add(registration, for: sender, to: $0, taking: &observer) }
            } else if N.replay.isNone || isServing {
                addFirst(registration, for: sender, taking: &observer)
            } else {
                addReplayed(registration, for: sender, taking: &observer)
            }
        // There is a single return statement, so that the class of the result is known where this method is inlined.
        return EntryToken(entry)
    }

    func replay<N: TypedNotification>(of type: N.Type) -> NotificationReplay? {
        if !type.replay.isNone { return type.replay }
        guard let replays else { return nil }
        return replays[ObjectIdentifier((type as? any BelongsToMainActor.Type)?.content ?? type)]
    }

    func makeChannel<N: TypedNotification>(of type: N.Type) -> Unmanaged<TypedChannel<N, N.Sender>> {
        unsafe makeChannel(of: type, carrying: type, nil)
    }

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
