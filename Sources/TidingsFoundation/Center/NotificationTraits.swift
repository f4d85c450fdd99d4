import Foundation

/// Properties of a notification type that Foundation's center needs in each post. They are determined once, because
/// conformance checks at run time and creating a name from a type would take much of the time of a post.
final class NotificationTraits: Sendable {
    let type: Any.Type
    let names: [Notification.Name]
    let isFamily: Bool
    let isSelfDelivered: Bool
    let isBridged: Bool
    let belongsToMainActor: Bool

    private init<N: TypedNotification>(_ type: N.Type) {
        self.type = type
        let family = type as? any NotificationFamily.Type
        isFamily = family != nil
        names = (family?.names ?? [N.name]).map { Notification.Name($0) }
        isSelfDelivered = type is any SelfDelivered.Type
        isBridged = type is any BridgedNotification.Type
        belongsToMainActor = type is any BelongsToMainActor.Type
    }

    func name(of notification: some TypedNotification) -> Notification.Name {
        if isFamily, let member = notification as? any NotificationFamily {
            return Notification.Name(member.event.rawValue)
        }
        return names[0]
    }

    private static let all = Lock<[ObjectIdentifier: NotificationTraits]>([:])

    static func of<N: TypedNotification>(_ type: N.Type) -> NotificationTraits {
        if let known = all.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        // The type's own code, which creates the name, must not run while the lock is held.
        let made = NotificationTraits(type)
        return all.withLock { all in
            if let known = all[ObjectIdentifier(type)] { return known }
            all[ObjectIdentifier(type)] = made
            return made
        }
    }
}
