public import Tidings

/// A post that a recorder has recorded.
public struct RecordedPost: CustomStringConvertible, Sendable {
    /// The position of the post among the recorded posts, beginning with 1. The count begins again after a call of
    /// ``RecordingNotificationCenter/forget()``.
    public let number: Int

    /// The type of the notification.
    public var type: any NotificationContent.Type { kept.type }

    /// A textual description of the notification, made when it was posted.
    public let text: String

    /// A textual description of the sender, which for an object is its type and address; `nil` if there is no sender.
    public let sender: String?

    /// The task that posted; `nil` if there was none.
    public let task: PostingTask?

    /// The line of source that made the post.
    public let place: SourcePlace

    let calls: CallCount
    let kept: KeptNotification

    /// The number of observers called; `nil` while the post is in progress.
    public var observers: Int? { calls.count }

    /// The notification with its sender, its task and its place.
    public var description: String {
        let details = [sender.map { "from \($0)" }, task.map(String.init(describing:)), "at \(place)"]
        return ([text] + details.compactMap(\.self)).joined(separator: ", ")
    }
}

/// A task that posted. A task keeps its number. After the task has ended, a later task may get the same number.
public struct PostingTask: CustomStringConvertible, Hashable, Sendable {
    /// The number of the task, in the order in which the recorder encountered the tasks.
    public let number: Int

    /// The name of the task, if it has one.
    public let name: String?

    /// The number and the name.
    public var description: String { name.map { "task \(number) “\($0)”" } ?? "task \(number)" }
}

final class CallCount: Sendable {
    private let storage = Lock<Int?>(nil)

    var count: Int? {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }
}

/// A program can't check at run time whether a type is `Sendable`. This type is `Sendable` nevertheless, because the
/// notification is only returned as a type that is statically `Sendable`, or on the main actor, where it was posted.
/// Its text is only created during the post, or while the notification is held for an asynchronous observer, whose
/// notifications are `Sendable`. Apart from that, other threads only release the notification.
struct KeptNotification: @unchecked Sendable {
    /// If the notification is an object, this may be a superclass of its class.
    let type: any NotificationContent.Type

    private let notification: any NotificationContent

    init<N: TypedNotification>(_ notification: N) {
        let wrapper = notification as? any BelongsToMainActor
        self.notification = wrapper?.wrapped ?? notification
        type = wrapper.map { Swift.type(of: $0).content } ?? N.self
    }

    var text: String { String(describing: notification) }

    func value<N: NotificationContent & Sendable>(as type: N.Type) -> N? {
        self.type == type ? notification as? N : nil
    }

    @MainActor
    func value<N: MainActorNotification>(onMainActor type: N.Type) -> N? {
        self.type == type ? notification as? N : nil
    }
}
