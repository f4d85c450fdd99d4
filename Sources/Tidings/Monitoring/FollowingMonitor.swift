/// A monitor that also receives descriptions of notifications, if their types provide them, rejections by conditions,
/// and deliveries when they are queued. Even if it samples posts, it receives all that results from a sampled post.
package protocol FollowingMonitor: NotificationMonitor {
    var follows: Bool { get }

    func receive(payload: String, of post: NotificationPost.ID)

    func receive(refusalBy observer: ObserverDescription, of post: NotificationPost.ID)

    /// Receives a delivery that is queued as the *n*th notification of its queue, where `number` is approximately *n*;
    /// see ``CallStatus/left``. `number` is `nil` if the observer's policy drops the notification.
    func receive(waiting delivery: NotificationDelivery.ID, for observer: ObserverDescription, number: Int?)
}

enum Payload {
    static func isDescribed(_ type: Any.Type) -> Bool {
        let content = (type as? any BelongsToMainActor.Type)?.content ?? type
        return content is any CustomTidingsDescription.Type
    }

    static func words(for notification: some Any) -> String? {
        let content: Any = (notification as? any BelongsToMainActor)?.wrapped ?? notification
        return (content as? any CustomTidingsDescription)?.tidingsDescription
    }
}
