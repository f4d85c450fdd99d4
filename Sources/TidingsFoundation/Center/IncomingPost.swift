import Foundation

/// What a relay hands to its observers: a Foundation notification, and the typed post that it carries, if any.
///
/// It lives as long as one post in one relay.
final class IncomingPost: TypedNotification {
    let notification: Notification

    /// Whether an observer was skipped because it belongs to the main actor and the post was made elsewhere.
    private(set) var isAwaitedOnMainActor = false

    /// How many observers were registered, ever, when the post began: later ones are not called.
    private let horizon: Int

    /// Whether the post was made off the main actor, and comes again, there, for the observers that belong to it.
    private let isLate: Bool

    private let typed: TypedPost?
    private let monitoring: Monitoring

    /// What was last made from the notification, for the next observer of its type.
    private var bridged: (any BridgedNotification)?

    private lazy var isOnMainActor = MainThread.isCurrent
    private var reported: Set<NotificationReport> = []

    init(_ notification: Notification, monitoring: Monitoring) {
        self.notification = notification
        self.monitoring = monitoring
        typed = notification.userInfo?[TypedPost.key].flatMap { castObject($0, to: TypedPost.self) }
        horizon = min(typed?.horizon ?? .max, Relay.Member.count)
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

    /// The typed notification's own sender, as Foundation may have bridged it; otherwise the object of the notification.
    ///
    /// It is the object, too, of a main-actor notification that a classic observer posts again elsewhere, where that one may not
    /// be asked for its sender.
    var sender: Any? {
        guard let typed, isOnMainActor || !typed.belongsToMainActor else { return notification.object }
        return typed.sender
    }

    /// The native center where the notification was posted before, if it comes from one.
    var visited: ObjectIdentifier? { typed?.visited }

    /// Where the source posts the typed notification; unknown for a classic post.
    var place: SourcePlace { typed?.place ?? .unknown }

    // MARK: Whom it reaches

    /// Whether the post reaches an observer that runs anywhere.
    func reaches(_ member: Relay.Member) -> Bool { !isLate && member.number <= horizon }

    /// Whether the post reaches an observer that belongs to the main actor now; false off the main actor, where it is noted that
    /// the post has to come again.
    func reachesOnMainActor<Sender>(_ member: Relay.Member, _ limit: MainActorLimit<Sender>?) -> Bool {
        if member.number > horizon { return false }
        guard isOnMainActor else {
            isAwaitedOnMainActor = true
            return false
        }
        return limit?.admits(self) != false
    }

    // MARK: Handing it over

    /// Calls an observer that belongs to the main actor, on which the post is.
    func callOnMainActor(_ observer: @MainActor (IncomingPost) -> Void) {
        // Nothing crosses an isolation boundary: a post is synchronous, and this is the main actor.
        nonisolated(unsafe) let post = self
        MainActor.assumeIsolated { unsafe observer(post) }
    }

    /// Calls an observer with the typed notification, or reports why there is none of the observer's type.
    ///
    /// - Parameters:
    ///   - observer: The observer.
    ///   - isConditional: Whether it may refuse the notification. It is not counted then.
    func hand<N: TypedNotification>(to observer: (N) -> Void, isConditional: Bool = false) {
        do {
            let value = try value(as: N.self)
            observer(value)
            if !isConditional || !Refusal.isNoted { typed?.countCall() }
        } catch {
            report(error)
        }
    }

    /// The typed notification: as it was posted, or made from the Foundation notification.
    private func value<N: TypedNotification>(as type: N.Type) throws(NotificationDecodingError) -> N {
        if let typed = typed as? TypedPostOf<N> { return typed.value }
        if let value = bridged as? N { return value }
        if typed?.isBridged != false, let type = N.self as? any BridgedNotification.Type {
            let made = try type.init(bridging: notification)
            bridged = made
            if let value = made as? N { return value }
        }
        throw NotificationDecodingError(
            notification: notification.name.rawValue, keyPath: [], expected: userName(of: N.self),
            found: typed.map { userName(of: $0.type) }, reason: typed == nil ? .missing : .mistyped)
    }

    /// Calls an observer with what was made from the notification, or reports why nothing was.
    func hand<Payload>(_ result: Result<Payload, NotificationDecodingError>, to observer: (Payload) -> Void) {
        switch result {
        case .success(let payload): observer(payload)
        case .failure(let error): report(error)
        }
    }

    /// Reports why an observer is not called, unless the same was reported of this post already.
    private func report(_ error: NotificationDecodingError) {
        let report = NotificationReport(undecodable: error)
        if reported.insert(report).inserted { report.send(to: monitoring) }
    }
}

/// The name of a notification type as its user knows it: that of a main-actor notification is its own.
private func userName(of type: Any.Type) -> String {
    "\((type as? any BelongsToMainActor.Type)?.content ?? type)"
}

/// Tells whether code runs on the main actor, without the trap of asserting it.
enum MainThread {
    /// Whether the main actor may be assumed: on the main thread, or on the main dispatch queue.
    ///
    /// After the first `await` of an asynchronous `main`, Linux serves the main queue from another thread; before it, and in
    /// a synchronous `main`, the main thread runs code that is in no queue. So it takes both questions.
    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil }

    private static let mark: DispatchSpecificKey<Void> = {
        let mark = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: mark, value: ())
        return mark
    }()
}
