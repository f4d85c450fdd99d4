/// A monitor that follows posts. It receives descriptions of notifications, if their types provide them, and deliveries
/// before they are made. Even if it samples posts, it receives everything that results from a post in the sample.
package protocol FollowingMonitor: NotificationMonitor {
    var follows: Bool { get }

    func receive(payload: String, of post: NotificationPost.ID)

    func receive(refusalBy observer: ObserverDescription, of post: NotificationPost.ID)

    /// Receives a delivery that is queued. `number` is its approximate number in the observer's queue, counted like
    /// ``CallStatus/left``; `nil` if the observer's policy drops it.
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
