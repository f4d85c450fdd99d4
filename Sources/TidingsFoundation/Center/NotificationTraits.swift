import Foundation

/// Properties of a notification type that Foundation's center needs in each post, determined once. Querying the runtime
/// for a conformance takes a considerable part of the time of a post, and creating a name from a type takes half of it.
final class NotificationTraits: Sendable {
    let type: ObjectIdentifier

    /// The names under which notifications of the type are posted: several for a family, otherwise one.
    let names: [Notification.Name]

    let isFamily: Bool

    /// Whether notifications of the type don't pass through Foundation's center as a `Notification`.
    let isSelfDelivered: Bool

    /// Whether the carrying notification has an untyped representation of its own.
    let isBridged: Bool

    /// Whether only the main actor can access notifications of the type.
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

    func name(of notification: some TypedNotification) -> Notification.Name {
        if isFamily, let member = notification as? any NotificationFamily {
            return Notification.Name(member.event.rawValue)
        }
        return names[0]
    }

    private static let all = Lock<[ObjectIdentifier: NotificationTraits]>([:])

    static func of<N: TypedNotification>(_ type: N.Type) -> NotificationTraits {
        if let known = all.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        // Without the lock, because the type's own code creates the name.
        let made = NotificationTraits(type)
        return all.withLock { all in
            if let known = all[made.type] { return known }
            all[made.type] = made
            return made
        }
    }
}
