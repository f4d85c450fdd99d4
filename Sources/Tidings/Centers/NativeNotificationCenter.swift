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

    /// The monitors.
    package let monitoring: Monitoring

    /// The name that stands for every type, if the center is one that Foundation's uses for its own.
    private let name: String?

    /// Makes a center without observers.
    public convenience init() { self.init(name: nil, monitoring: Monitoring()) }

    /// Makes a center that serves another one.
    ///
    /// - Parameters:
    ///   - name: What its observers are registered for, if that is not the type of what is posted.
    ///   - monitoring: The monitors of the other one.
    package init(name: String?, monitoring: Monitoring) {
        channels = ChannelDirectory()
        self.name = name
        self.monitoring = monitoring
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
        guard let channel = unsafe channels.channel(N.self) as Unmanaged<TypedChannel<N, N.Sender>>? else {
            return postUnobserved(notification, from: place)
        }
        return unsafe channel._withUnsafeGuaranteedRef { channel in
            channel.postIfUsual(notification) { $0.sender } ?? postUnusual(notification, from: place, in: channel)
        }
    }

    /// Registers a closure for a notification type; to observe, call one of the `addObserver` methods.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, if it is.
    ///   - registration: What is known about the observer beside its closure.
    ///   - observer: The closure to call in the post.
    /// - Returns: The observation.
    @inlinable
    public func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: consuming @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        // The channel lives as long as the center.
        defer { extendLifetime(self) }
        let channel = unsafe channels.channel(type) ?? makeChannel(of: type)
        var observer = Optional(Observer(observer))
        return unsafe channel._withUnsafeGuaranteedRef { channel in
            if sender.isLimited {
                return EntryToken(channel.add(registration.details, for: sender.engineTarget, taking: &observer))
            }
            return EntryToken(channel.add(registration.details, taking: &observer))
        }
    }

    /// The channel of a type, made if there is none.
    @usableFromInline
    func makeChannel<N: TypedNotification>(of type: N.Type) -> Unmanaged<TypedChannel<N, N.Sender>> {
        unsafe channels.makeChannel(
            type, N.senderComparison.rule, hasMainActorSenders: type is any BelongsToMainActor.Type,
            isMonitored: { monitoring.isActive },
            makeHost: {
                CenterChannel(
                    center: ObjectIdentifier(self), monitoring: monitoring,
                    subject: name.map { NotificationSubject(named: $0) } ?? NotificationSubject(type))
            })
    }
}
