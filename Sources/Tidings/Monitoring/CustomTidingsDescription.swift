/// A notification, or a message of a bus, that says in words what monitors and inspectors may show of it.
///
/// What a notification holds is shown nowhere, unless its type says so by this. It is asked only while posts are followed, by an
/// inspector for example, in the post and on its thread; so it should be quick.
///
/// ```swift
/// extension SubscriptionsChanged: CustomTidingsDescription {
///     var tidingsDescription: String { "\(subscribed.count) subscriptions" }
/// }
/// ```
///
/// Posts on Foundation's center are shown without.
public protocol CustomTidingsDescription {
    /// What may be shown. Readers cut it to a length of theirs.
    var tidingsDescription: String { get }
}

/// A monitor that is told notifications in words, where their types have words for them.
package protocol PayloadMonitor: NotificationMonitor {
    /// Whether it wants to be told at all. It is asked when it is attached.
    var takesPayloads: Bool { get }

    /// Takes the words for a notification, while its post begins.
    func receive(payload: String, of post: NotificationPost.ID)
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
        if isAttachedForPayloads { payloads?.receive(payload: payload, of: post) }
    }
}
