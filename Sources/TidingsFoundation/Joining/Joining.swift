public import Foundation

/// The direction in which notifications are forwarded between a native center and Foundation's when the two are joined.
public enum JoiningDirection: Hashable, Sendable {
    /// Notifications that are posted on the native center are also posted on Foundation's.
    case toFoundation
    /// Notifications that are posted on Foundation's center are also posted on the native one.
    case fromFoundation
    /// Both directions. A notification isn't forwarded back to the center from which it comes.
    case both
}

extension NativeNotificationCenter {
    /// Joins this center to Foundation's for a notification type: a notification that is posted on one center is also
    /// posted on the other, before the first post returns.
    ///
    /// ```swift
    /// NativeNotificationCenter.default.join(SubscriptionsChanged.self, with: .default).store(in: &tokens)
    /// ```
    ///
    /// If the type is a ``BridgedNotification``, untyped posts on Foundation's center are forwarded to this center, and
    /// untyped observers receive a `userInfo` with each post on this center. A notification isn't forwarded back to the
    /// center from which it comes. A notification that an observer posts in response is forwarded. Neither center keeps
    /// the other alive.
    ///
    /// Join several centers as a star or a chain. In a ring of centers, a notification circulates endlessly.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - center: Foundation's center.
    ///   - direction: The direction in which notifications are forwarded.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The token, which keeps the centers joined.
    public func join<N: TypedNotification>(
        _ type: N.Type, with center: NotificationCenter, direction: JoiningDirection = .both,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationToken {
        let join = Join(self, center, direction, .inPost, fileID: fileID, line: line)
        let there = join.toFoundation(type)
        let here = join.fromFoundation { registration in
            center.forwardEach(NotificationTraits.of(N.self).names) { name in
                center.forward(name, from: .everyone, registration: registration, reading: { $0 }) { post in
                    join.receive(type, post, except: there)
                }
            }
        }
        return JoinObservation(parts: [there, here].compactMap { $0 }).token()
    }

    /// Joins this center to Foundation's for a main-actor notification type: a notification that is posted on one
    /// center is also posted on the other, before the first post returns. A notification that is posted on Foundation's
    /// center off the main actor is forwarded afterwards, on the main actor.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - center: Foundation's center.
    ///   - direction: The direction in which notifications are forwarded.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The token, which keeps the centers joined.
    public func join<N: MainActorNotification>(
        _ type: N.Type, with center: NotificationCenter, direction: JoiningDirection = .both,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationToken {
        let join = Join(self, center, direction, .inPostOnMainActor, fileID: fileID, line: line)
        let there = join.toFoundation(OnMainActor<N>.self)
        let here = join.fromFoundation { registration in
            center.forwardEach(NotificationTraits.of(OnMainActor<N>.self).names) { name in
                center.forwardOnMainActor(
                    name, from: SenderFilter<N.Sender>.everyone, registration: registration, reading: { $0 }
                ) { post in
                    join.receive(OnMainActor<N>.self, post, except: there)
                }
            }
        }
        return JoinObservation(parts: [there, here].compactMap { $0 }).token()
    }

    /// Unavailable: two centers are joined for a notification type.
    @available(
        *, unavailable, message: "'join' takes a notification type: write the type and '.self'"
    )
    public func join<Content>(
        _ content: Content, with center: NotificationCenter, direction: JoiningDirection = .both
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }
}
