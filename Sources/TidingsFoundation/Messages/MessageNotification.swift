public import Foundation

/// A typed notification that carries one of Foundation's own typed messages, an `AsyncMessage`.
///
/// On Foundation's center, observers of this notification receive every post of the message, including posts by
/// frameworks and by code without Tidings. They can run in any context, such as `on: .main`. A post of this
/// notification also reaches Foundation's own observers of the message.
///
/// ```swift
/// let messages = NotificationCenter.default.notifications(of: MessageNotification<DownloadEnded>.self)
/// for await note in messages { print(note.message) }
///
/// center.addObserver(cache, on: .actor, for: MessageNotification<DownloadEnded>.self, sender: download) { cache, note in ... }
/// ```
///
/// Foundation delivers an `AsyncMessage` some time after the post, in tasks of its own. So even an observer without
/// `on:` is called after the post. On Linux, Foundation reorders messages that are posted in quick succession, delivers
/// several concurrently, and keeps a center alive until its `AsyncMessage` observations have ended. On Apple's
/// platforms, Foundation converts a message to and from untyped notifications, if its type supports this. After
/// `cancel()` has returned, no message arrives. An observer that is limited to a sender receives no messages of another
/// object that is later allocated at the sender's address. When the owner or the sender of an observer is deallocated,
/// the observation ends. A later registration for messages on the same center then detects the end and releases the
/// closure. If the center has more than 256 observations of messages, several registrations may be needed.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
public struct MessageNotification<Message: NotificationCenter.AsyncMessage>: TypedNotification, Sendable
where Message.Subject: AnyObject {
    /// The message.
    public let message: Message

    /// Always `nil`: Foundation doesn't provide the subject of a message. Observers can still be limited to a subject.
    public var sender: Message.Subject? { nil }

    /// Creates the notification for a message. To post a message with a subject, use Foundation's `post(_:subject:)`.
    public init(_ message: Message) { self.message = message }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension MessageNotification: SelfDelivered {
    func post(on center: NotificationCenter) -> Int {
        center.post(message)
        return 0
    }

    static func observe(
        on center: NotificationCenter, sender: SenderFilter<Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (Self) -> Void
    ) -> any ObserverHandle {
        center.forwardMessages(from: sender, registration: registration, using: observer) { subject, post in
            center.addObserver(of: subject, for: Message.self) { message in post(Self(message)) }
        }
    }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NativeNotificationCenter {
    /// Unavailable: centers can't be joined for messages. Observe the message and post it on the other center.
    @available(*, unavailable, message: "observe the message and post it on the other center")
    public func join<Message: NotificationCenter.AsyncMessage>(
        _ type: MessageNotification<Message>.Type, with center: NotificationCenter, direction: JoiningDirection = .both
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }
}

/// A main-actor notification that carries one of Foundation's own typed messages, a `MainActorMessage`.
///
/// On Foundation's center, observers of this notification are called in every post of the message, including posts by
/// frameworks and code without Tidings. A post of this notification also reaches Foundation's own observers.
///
/// ```swift
/// typealias Pasted = MainActorMessageNotification<Document.PastedMessage>
/// center.addObserver(self, for: Pasted.self, sender: document) { me, note in me.show(note.message) }
/// ```
///
/// On Linux, Foundation calls the observers of a message in no particular order. On Apple's platforms, Foundation
/// converts a message to and from untyped notifications, if its type supports this. An observation ends as described
/// for ``MessageNotification``, but only registrations on the main actor detect that its sender has been deallocated.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
public struct MainActorMessageNotification<Message: NotificationCenter.MainActorMessage>: MainActorNotification
where Message.Subject: AnyObject {
    /// The message.
    public let message: Message

    /// Always `nil`: Foundation doesn't provide the subject of a message. Observers can still be limited to a subject.
    public var sender: Message.Subject? { nil }

    /// Creates the notification for a message. To post a message with a subject, use Foundation's `post(_:subject:)`.
    public init(_ message: Message) { self.message = message }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension MainActorMessageNotification: Sendable where Message: Sendable {}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension MainActorMessageNotification: MainActorSelfDelivered {
    func post(on center: NotificationCenter) -> Int {
        center.post(message)
        return 0
    }

    static func observe(
        on center: NotificationCenter, sender: SenderFilter<Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (OnMainActor<Self>) -> Void
    ) -> any ObserverHandle {
        center.forwardMessages(from: sender, registration: registration, using: observer) { subject, post in
            center.addObserver(of: subject, for: Message.self) { message in
                post(OnMainActor(notification: Self(message)))
            }
        }
    }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NativeNotificationCenter {
    /// Unavailable: centers can't be joined for messages. Observe the message and post it on the other center.
    @available(*, unavailable, message: "observe the message and post it on the other center")
    public func join<Message: NotificationCenter.MainActorMessage>(
        _ type: MainActorMessageNotification<Message>.Type, with center: NotificationCenter,
        direction: JoiningDirection = .both
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }
}
