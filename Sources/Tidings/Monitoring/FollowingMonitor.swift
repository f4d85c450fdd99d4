/// A monitor that follows posts: it is told notifications in words, where their types have words for them, and what becomes of each
/// delivery before it is made. What a post causes that it is told of, it is told of too, also if it is told of some posts only.
package protocol FollowingMonitor: NotificationMonitor {
    /// Whether it wants to be told at all. It is asked when it is attached.
    var follows: Bool { get }

    /// Takes the words for a notification, while its post begins.
    func receive(payload: String, of post: NotificationPost.ID)

    /// Takes an observer whose condition has refused the notification of a post.
    func receive(refusalBy observer: ObserverDescription, of post: NotificationPost.ID)

    /// Takes a delivery that begins to wait.
    ///
    /// - Parameters:
    ///   - delivery: The delivery.
    ///   - observer: The observer.
    ///   - number: Its number in the observer's queue, more or less, as ``CallStatus/left`` counts; `nil` if the policy of the observer
    ///     drops it.
    func receive(waiting delivery: NotificationDelivery.ID, for observer: ObserverDescription, number: Int?)
}

/// What types of notifications have words for what they hold.
enum Payload {
    /// Whether notifications of a type have words.
    static func isDescribed(_ type: Any.Type) -> Bool {
        let content = (type as? any BelongsToMainActor.Type)?.content ?? type
        return content is any CustomTidingsDescription.Type
    }

    /// The words for a notification; `nil` if its type has none.
    static func words(for notification: some Any) -> String? {
        if let wrapper = notification as? any BelongsToMainActor { return wrapper.words }
        return (notification as? any CustomTidingsDescription)?.tidingsDescription
    }
}

extension BelongsToMainActor {
    fileprivate var words: String? { (wrapped as? any CustomTidingsDescription)?.tidingsDescription }
}

extension AttachedMonitor {
    /// Tells the monitor the words for the notification of a post.
    func receive(payload: String, of post: NotificationPost.ID) {
        if mayBeTold { follower?.receive(payload: payload, of: post) }
    }

    /// Tells the monitor an observer whose condition has refused the notification of a post.
    func receive(refusalBy observer: ObserverDescription, of post: NotificationPost.ID) {
        if mayBeTold { follower?.receive(refusalBy: observer, of: post) }
    }

    /// Tells the monitor of a delivery that begins to wait.
    func receive(waiting delivery: NotificationDelivery.ID, for observer: ObserverDescription, number: Int?) {
        if mayBeTold { follower?.receive(waiting: delivery, for: observer, number: number) }
    }
}
