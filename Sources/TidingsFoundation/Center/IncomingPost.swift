import Foundation

/// What a relay hands to its observers: a Foundation notification, and the typed post that it carries, if any.
///
/// It lives as long as one post in one relay, on the thread that posts.
final class IncomingPost: TypedNotification {
    let notification: Notification
    private let typed: TypedPost?
    private let reported = Lock<Set<NotificationReport>>([])

    init(_ notification: Notification) {
        self.notification = notification
        typed = notification.userInfo?[TypedPost.key] as? TypedPost
    }

    /// The typed notification's own sender, as Foundation may have bridged it; otherwise the object of a classic post.
    var sender: Any? {
        if let typed { typed.sender } else { notification.object }
    }

    /// Whether an observer was registered when the post began, as far as that is known: of a classic post it is not.
    func reaches(registration: Int) -> Bool { typed?.reaches(registration: registration) ?? true }

    /// Calls an observer with the typed notification, if it was posted as the observer's type, or reports that it was not.
    func hand<N: TypedNotification>(to observer: (N) -> Void) {
        if let typed = typed as? TypedPostOf<N> { return call(observer, with: typed.value) }
        let error = NotificationDecodingError(
            notification: notification.name.rawValue, keyPath: [], expected: "\(N.self)",
            found: typed.map { "\(type(of: $0))" }, reason: typed == nil ? .missing : .mistyped)
        report(NotificationReport(undecodable: error))
    }

    /// Calls an observer with the payload that a descriptor finds, or reports why it finds none.
    func hand<D: NotificationDescriptor>(to observer: (D.Payload) -> Void, decoding descriptor: D) {
        do {
            call(observer, with: try descriptor.decode(notification))
        } catch {
            report(NotificationReport(undecodable: error))
        }
    }

    /// Calls an observer with the payload that a descriptor finds, or reports why it finds none.
    @MainActor
    func hand<D: MainActorNotificationDescriptor>(to observer: (D.Payload) -> Void, decoding descriptor: D) {
        do {
            call(observer, with: try descriptor.decode(notification))
        } catch {
            report(NotificationReport(undecodable: error))
        }
    }

    private func call<Value>(_ observer: (Value) -> Void, with value: Value) {
        typed?.countCall()
        observer(value)
    }

    /// Reports something about the post, unless it was reported already.
    func report(_ report: NotificationReport) {
        if reported.withLock({ $0.insert(report).inserted }) { report.send() }
    }
}
