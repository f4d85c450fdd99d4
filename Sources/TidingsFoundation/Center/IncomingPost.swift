public import Foundation

/// What a forwarder hands to its observers: a Foundation notification, and the typed post that it carries, if any.
///
/// It lives as long as one post in one forwarder.
final class IncomingPost: TypedNotification {
    let notification: Notification

    /// The typed post that the notification carries, if any.
    let typed: TypedPost?

    /// Whether the post was made off the main actor, and comes again, there, for the observers that belong to it.
    let isLate: Bool

    /// How many observers were registered, ever, when the post began: later ones are not called.
    let horizon: Int

    let monitoring: Monitoring

    /// Whether this is the main actor.
    private(set) lazy var isOnMainActor = MainThread.isCurrent

    // What observers leave for the others, and for the forwarder. A post is synchronous: one of them runs after the other.

    /// Whether an observer was skipped because it belongs to the main actor and the post was made elsewhere.
    var isAwaitedOnMainActor = false

    /// How many observers were called with a typed notification.
    var calls = 0

    /// What was last made from the notification, for the next observer of its type.
    var bridged: (any BridgedNotification)?

    /// What was reported.
    var reported: Set<NotificationReport> = []

    /// Who posted the notification, in words, if something has to be reported.
    private(set) lazy var knownPoster = poster

    init(_ notification: Notification, monitoring: Monitoring) {
        self.notification = notification
        self.monitoring = monitoring
        typed = notification.typedPost
        horizon = min(typed?.horizon ?? .max, NameForwarder.Member.count)
        isLate = false
    }

    /// Makes the post that comes again on the main actor.
    init(late post: IncomingPost) {
        notification = post.notification
        monitoring = post.monitoring
        typed = post.typed
        horizon = post.horizon
        isLate = true
    }

    static var senderComparison: SenderComparison<Any?> { .ofAnything }

    /// The typed notification's own sender, as Foundation may have bridged it; otherwise the object of the notification.
    ///
    /// It is the object, too, of a main-actor notification that a classic observer posts again elsewhere, where that one may not
    /// be asked for its sender.
    var sender: Any? {
        // Where this is, is asked last: the answer takes two system calls.
        guard let typed, !typed.traits.belongsToMainActor || isOnMainActor else { return notification.object }
        return typed.sender
    }

    /// The native center where the notification was posted before, if it comes from one.
    var visited: ObjectIdentifier? { typed?.visited }

    /// Where the source posts the typed notification; unknown for a classic post.
    var place: SourcePlace { typed?.place ?? .unknown }

    /// Tells the typed post how many observers were called.
    func tellCalls() { typed?.calls.wrappingAdd(calls, ordering: .relaxed) }
}

extension Notification {
    /// The typed post that the notification carries, if any.
    fileprivate var typedPost: TypedPost? { userInfo?.object(of: TypedPost.self, under: TypedPost.key) }

    /// What a poster by hand may have put in: all of `userInfo` but the typed notification.
    package var userInfoByHand: [AnyHashable: Any] { (userInfo ?? [:]).filter { $0.key != AnyHashable(TypedPost.key) } }

    /// The typed notification that this one carries, for classic observers of its name.
    ///
    /// - Parameter type: The type.
    /// - Returns: The typed notification; `nil` if this one was not posted as the type.
    public func typed<N: TypedNotification>(as type: N.Type) -> N? { typedPost?.value(as: type) }

    /// The main-actor notification that this one carries, for classic observers of its name.
    ///
    /// - Parameter type: The type.
    /// - Returns: The main-actor notification; `nil` if this one was not posted as the type.
    @MainActor
    public func typed<N: MainActorNotification>(as type: N.Type) -> N? {
        typed(as: OnMainActor<N>.self)?.notification
    }
}
