/// A monitor that follows the effects of posts. Even if it receives only a sample of the posts, it also receives the
/// posts that a sampled post causes, up to a limit.
package protocol FollowingMonitor: NotificationMonitor {
    var follows: Bool { get }

    func receive(payload: String, of post: NotificationPost.ID)

    func receive(refusalBy observer: ObserverDescription, of post: NotificationPost.ID)

    /// Reports that a notification is queued. `number` is the approximate number of notifications ever queued for the
    /// observer; see ``CallStatus/left``. It is `nil` if the observer's policy drops the notification.
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
