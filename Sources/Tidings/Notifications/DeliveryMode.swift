/// The context in which an observer runs: during the post, or afterwards in an actor, a task, a queue or a sequence.
public struct DeliveryMode: Hashable, Sendable {
    @export(implementation) package let number: UInt8

    @export(implementation) package static var numberInPost: UInt8 { 0 }

    package init(number: UInt8) { self.number = number }

    /// In the post, synchronously, on the thread that posts.
    public static let inPost = DeliveryMode(number: 0)

    /// In the post, synchronously, on the main actor, as for observers of a ``MainActorNotification``.
    public static let inPostOnMainActor = DeliveryMode(number: 1)

    /// On the main actor, after the post.
    public static let mainActor = DeliveryMode(number: 2)

    /// In an actor, after the post.
    public static let actor = DeliveryMode(number: 3)

    /// In a task of its own, after the post.
    public static let task = DeliveryMode(number: 4)

    /// On an operation queue or a dispatch queue, after the post.
    public static let queue = DeliveryMode(number: 5)

    /// In the queue of a sequence, from which the consumer of the sequence takes notifications.
    public static let sequence = DeliveryMode(number: 6)
}

extension DeliveryMode: CustomStringConvertible {
    /// The mode as a phrase, such as "in the post" or "on a queue".
    public var description: String {
        switch self {
        case .inPost: "in the post"
        case .inPostOnMainActor: "in the post, on the main actor"
        case .mainActor: "on the main actor"
        case .actor: "in an actor"
        case .task: "in a task"
        case .queue: "on a queue"
        default: "as a sequence"
        }
    }
}

extension DeliveryMode {
    package var label: String {
        switch self {
        case .inPost: "in_post"
        case .inPostOnMainActor: "in_post_on_main_actor"
        case .mainActor: "main_actor"
        case .actor: "actor"
        case .task: "task"
        case .queue: "queue"
        case .sequence: "sequence"
        default: "other"
        }
    }
}

extension DeliveryMode {
    package var isOnMainActor: Bool { self == .mainActor || self == .inPostOnMainActor }

    package var isInPost: Bool { self == .inPost || self == .inPostOnMainActor }
}
