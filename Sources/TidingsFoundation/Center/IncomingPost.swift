import Foundation

/// What a relay hands to its observers: a Foundation notification, and the typed post that it carries, if any.
///
/// It lives as long as one post in one relay.
final class IncomingPost: TypedNotification {
    let notification: Notification

    /// How many observers were registered, ever, when the post began: later ones are not called.
    let horizon: Int

    /// Whether the post was made off the main actor, and comes again, there, for the observers that belong to it.
    let isLate: Bool

    /// Whether an observer was skipped because it belongs to the main actor and the post was made elsewhere.
    private(set) var isAwaitedOnMainActor = false

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
        horizon = min(typed?.horizon ?? .max, Relay.registrations)
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

    /// The typed notification's own sender, as Foundation may have bridged it; otherwise the object of a classic post.
    var sender: Any? {
        if let typed { typed.sender } else { notification.object }
    }

    /// The native center where the notification was posted before, if it comes from one.
    var visited: ObjectIdentifier? { typed?.visited }

    /// Where the source posts the typed notification; unknown for a classic post.
    var place: SourcePlace { typed?.place ?? .unknown }

    /// Calls an observer that runs anywhere.
    func call(_ observer: (IncomingPost) -> Void) {
        if !isLate { observer(self) }
    }

    /// Calls an observer that belongs to the main actor, unless the post was made elsewhere.
    func callOnMainActor(_ observer: @MainActor (IncomingPost) -> Void) {
        guard isOnMainActor else {
            isAwaitedOnMainActor = true
            return
        }
        // Nothing crosses an isolation boundary: a post is synchronous, and this is the main actor.
        nonisolated(unsafe) let post = self
        MainActor.assumeIsolated { unsafe observer(post) }
    }

    /// Calls an observer with the typed notification, or reports why there is none of the observer's type.
    func hand<N: TypedNotification>(to observer: (N) -> Void) {
        do {
            let value = try value(as: N.self)
            typed?.countCall()
            observer(value)
        } catch {
            report(NotificationReport(undecodable: error))
        }
    }

    /// The typed notification: as it was posted, or made from what was posted.
    private func value<N: TypedNotification>(as type: N.Type) throws(NotificationDecodingError) -> N {
        if let typed = typed as? TypedPostOf<N> { return typed.value }
        if let value = bridged as? N { return value }
        if typed?.isBridged != false, let type = N.self as? any BridgedNotification.Type {
            let made = try type.init(bridging: notification)
            bridged = made
            if let value = made as? N { return value }
        }
        throw NotificationDecodingError(
            notification: notification.name.rawValue, keyPath: [], expected: "\(N.self)",
            found: typed.map { "\($0.type)" }, reason: typed == nil ? .missing : .mistyped)
    }

    /// Calls an observer with what was made from the notification, or reports why nothing was.
    func hand<Payload>(_ result: Result<Payload, NotificationDecodingError>, to observer: (Payload) -> Void) {
        switch result {
        case .success(let payload): observer(payload)
        case .failure(let error): report(NotificationReport(undecodable: error))
        }
    }

    /// Reports something about the post, unless it was reported already.
    private func report(_ report: NotificationReport) {
        if reported.insert(report).inserted { report.send(to: monitoring) }
    }
}
