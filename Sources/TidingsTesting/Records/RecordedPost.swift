public import Tidings

/// One post, as a recorder saw it.
public struct RecordedPost: Sendable {
    /// Its position among the posts since the recorder was made or last told to forget, from 1 on.
    public let number: Int

    /// The type of the notification.
    public var type: any NotificationContent.Type { kept.type }

    /// The notification as text, as it was when it was posted.
    public let text: String

    /// The sender as text: for an object its type and address; `nil` if there is none.
    public let sender: String?

    /// The task that posted; `nil` if it was none.
    public let task: PostingTask?

    /// Where the source posts it.
    public let place: SourcePlace

    let calls: CallCount
    let kept: KeptNotification

    /// How many observers were called; `nil` while the post is under way.
    public var observers: Int? { calls.count }
}

extension RecordedPost: CustomStringConvertible {
    /// The notification with its sender, its task, and its place.
    public var description: String {
        let details = [sender.map { "from \($0)" }, task.map(String.init(describing:)), "at \(place)"]
        return ([text] + details.compactMap(\.self)).joined(separator: ", ")
    }
}

/// A task that posted.
///
/// Two posts with different numbers were made by different tasks. A task can get the number of one that has ended.
public struct PostingTask: Hashable, Sendable {
    /// A number, in the order in which a recorder met the tasks.
    public let number: Int

    /// The name of the task, if it was given one.
    public let name: String?
}

extension PostingTask: CustomStringConvertible {
    /// The number and the name.
    public var description: String { name.map { "task \(number) “\($0)”" } ?? "task \(number)" }
}

/// How many observers a post called, which is known when it has ended.
final class CallCount: Sendable {
    private let storage = Lock<Int?>(nil)

    var count: Int? {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }
}
