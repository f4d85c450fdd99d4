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

/// A notification that was posted.
///
/// Its type need not be `Sendable`, and whether it is cannot be asked at run time. What makes this type `Sendable` all the same:
/// the notification is handed out only as a type of which the compiler knows it, or on the main actor, from where it came. It
/// is described only in its post, or while it waits for an asynchronous observer, whose notifications are `Sendable`. Any other
/// notification is only released.
struct KeptNotification: @unchecked Sendable {
    /// The type as which it was posted, which for an object may be a superclass of its own.
    let type: any NotificationContent.Type

    private let notification: any NotificationContent

    init<N: TypedNotification>(_ notification: N) {
        let wrapper = notification as? any MainActorWrapper
        self.notification = wrapper?.content ?? notification
        type = wrapper.map { Swift.type(of: $0).contentType } ?? N.self
    }

    /// The notification as text, as it is now.
    var text: String { String(describing: notification) }

    func value<N: NotificationContent & Sendable>(as type: N.Type) -> N? {
        self.type == type ? notification as? N : nil
    }

    @MainActor
    func value<N: MainActorNotification>(onMainActor type: N.Type) -> N? {
        self.type == type ? notification as? N : nil
    }
}

/// The wrapper in which a main-actor notification travels.
protocol MainActorWrapper {
    static var contentType: any NotificationContent.Type { get }
    var content: any NotificationContent { get }
}

extension OnMainActor: MainActorWrapper {
    static var contentType: any NotificationContent.Type { N.self }
    var content: any NotificationContent { notification }
}
