import Foundation

/// What Foundation's center has to know about a notification type in each post: found out once, and kept for as long as the
/// program runs.
///
/// To ask the runtime whether a type conforms to a protocol costs as much as a good part of a post, and to make a name from a
/// type as much as half of one.
final class NotificationTraits: Sendable {
    /// The identity of the type.
    let type: ObjectIdentifier

    /// The names under which notifications of the type are posted: one, but for a family.
    let names: [Notification.Name]

    /// Whether the name of a notification depends on its event.
    let isFamily: Bool

    /// Whether notifications of the type do not go through Foundation's center as a `Notification`.
    let isSelfDelivered: Bool

    /// Whether the notification that carries one stands for itself too.
    let isBridged: Bool

    /// Whether only the main actor may look at notifications of the type.
    let belongsToMainActor: Bool

    private init<N: TypedNotification>(_ type: N.Type) {
        self.type = ObjectIdentifier(type)
        let family = type as? any NotificationFamily.Type
        isFamily = family != nil
        names = (family?.names ?? [N.name]).map { Notification.Name($0) }
        isSelfDelivered = type is any SelfDelivered.Type
        isBridged = type is any BridgedNotification.Type
        belongsToMainActor = type is any BelongsToMainActor.Type
    }

    /// The name under which a notification of the type is posted.
    func name(of notification: some TypedNotification) -> Notification.Name {
        if isFamily, let member = notification as? any NotificationFamily {
            return Notification.Name(member.event.rawValue)
        }
        return names[0]
    }

    private static let all = Lock<[ObjectIdentifier: NotificationTraits]>([:])

    /// The traits of a notification type.
    static func of<N: TypedNotification>(_ type: N.Type) -> NotificationTraits {
        if let known = all.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        // Not under the lock, as the name is made by the type.
        let made = NotificationTraits(type)
        return all.withLock { all in
            // Another thread may have made it meanwhile.
            if let known = all[made.type] { return known }
            all[made.type] = made
            return made
        }
    }
}
