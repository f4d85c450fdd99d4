public import Foundation

/// A Foundation notification that a ``NameForwarder`` passes to its observers. Each instance is used for one post.
final class IncomingPost: TypedNotification {
    let notification: Notification
    let typed: TypedPost?

    /// Whether this object repeats, on the main actor, a post that was made off the main actor.
    let isLate: Bool

    /// The number of members that had been created when the post on this center began. Observers that were registered
    /// later aren't called.
    let horizon: Int

    let monitoring: Monitoring
    private(set) lazy var isOnMainActor = MainThread.isCurrent

    // This state changes during the post. It needs no lock, because a post calls its observers in sequence.

    /// Whether an observer was skipped because it is isolated to the main actor and the post was made elsewhere.
    var isAwaitedOnMainActor = false

    var calls = 0

    /// The value that was last converted from the notification. The next observer of the same type reuses it.
    var bridged: (any BridgedNotification)?

    /// The decoding errors that were already reported for this post. If this object repeats a post, these include the
    /// errors that were reported for the original.
    var reported: Set<NotificationDecodingError> = []
    private(set) lazy var knownPoster = poster

    init(_ notification: Notification, in registry: CenterRegistry) {
        self.notification = notification
        monitoring = registry.monitoring
        typed = notification.typedPost
        let horizonOfPost = typed?.center == registry.identity ? typed?.horizon : nil
        horizon = min(horizonOfPost ?? .max, NameForwarder.Member.count)
        isLate = false
    }

    init(late post: IncomingPost) {
        notification = post.notification
        monitoring = post.monitoring
        typed = post.typed
        horizon = post.horizon
        reported = post.reported
        isLate = true
    }

    static var senderComparison: SenderComparison<Any?> { .ofAnything }

    /// The post's sender, from the typed notification, because Foundation may have bridged `notification.object`. That
    /// object is only used for an untyped post, or off the main actor for a main-actor notification.
    var sender: Any? {
        // The check for the main actor comes last, because it takes two system calls.
        guard let typed, !typed.traits.belongsToMainActor || isOnMainActor else { return notification.object }
        return typed.sender
    }

    var visited: ObjectIdentifier? { typed?.visited }

    var place: SourcePlace { typed?.place ?? .unknown }

    /// Adds the calls to the result of the post, unless the `Notification` was passed on from another center.
    func tellCalls(in registry: CenterRegistry) {
        if let typed, typed.center == registry.identity { typed.calls.wrappingAdd(calls, ordering: .relaxed) }
    }
}

extension Notification {
    fileprivate var typedPost: TypedPost? { userInfo?.object(of: TypedPost.self, under: TypedPost.key) }

    package var userInfoByHand: [AnyHashable: Any] { (userInfo ?? [:]).filter { $0.key != AnyHashable(TypedPost.key) } }

    /// Returns the typed notification that this `Notification` carries, for use in untyped observers.
    ///
    /// - Parameter type: The type.
    /// - Returns: The typed notification; `nil` if the `Notification` wasn't posted as the type.
    public func typed<N: TypedNotification>(as type: N.Type) -> N? { typedPost?.value(as: type) }

    /// Returns the main-actor notification that this `Notification` carries, for use in untyped observers.
    ///
    /// - Parameter type: The type.
    /// - Returns: The main-actor notification; `nil` if the `Notification` wasn't posted as the type.
    @MainActor
    public func typed<N: MainActorNotification>(as type: N.Type) -> N? {
        typed(as: OnMainActor<N>.self)?.notification
    }
}
