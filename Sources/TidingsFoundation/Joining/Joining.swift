public import Foundation

/// Which way notifications go between a native center and Foundation's, when the two are joined.
public enum JoiningDirection: Hashable, Sendable {
    /// What is posted on the native center is posted on Foundation's too.
    case toFoundation
    /// What is posted on Foundation's center is posted on the native one too.
    case fromFoundation
    /// Both ways. What comes from one center does not go back there.
    case both
}

extension NativeNotificationCenter {
    /// Joins this center to Foundation's for a notification type: what is posted on one is posted on the other too, in the post.
    ///
    /// ```swift
    /// NativeNotificationCenter.default.join(SubscriptionsChanged.self, with: .default).store(in: &tokens)
    /// ```
    ///
    /// A classic post on Foundation's center is brought here if the type is a ``BridgedNotification``, and what is posted here
    /// then reaches classic observers with a `userInfo`. What comes from a center does not go back there; what an observer
    /// posts in answer is a new notification, which goes both ways. Neither center keeps the other alive.
    ///
    /// Join centers as a star or a chain: in a ring of several centers, a notification goes round without end.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - center: Foundation's center.
    ///   - direction: Which way notifications go.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The token, which is the lifetime of the join.
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

    /// Joins this center to Foundation's for a main-actor notification type: what is posted on one is posted on the other too,
    /// in the post.
    ///
    /// The same holds as for other notifications, with ``MainActorBridgedNotification``. What is posted on Foundation's center
    /// off the main actor comes here afterwards, on the main actor.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - center: Foundation's center.
    ///   - direction: Which way notifications go.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The token, which is the lifetime of the join.
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

    /// Cannot be called: two centers are joined for a type.
    @available(
        *, unavailable, message: "notifications of a type are joined, and this is no such type: write it, and '.self'"
    )
    public func join<Content>(
        _ content: Content, with center: NotificationCenter, direction: JoiningDirection = .both
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }
}
