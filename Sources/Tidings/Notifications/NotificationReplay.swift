/// Whether an observer that comes late begins with the latest notification of its type: with the state, where a notification
/// tells of one.
///
/// A type asks for it:
///
/// ```swift
/// struct ConnectionChanged: TypedNotification, Sendable {
///     static var replay: NotificationReplay { .latest(of: Self.self) }
///     let isOnline: Bool
/// }
/// ```
///
/// The native center keeps the latest notification of such a type for each sender. An observer of one sender is handed the latest
/// of that sender when it is registered, an observer of every sender the latest of all; after that, each one that is posted
/// later, none twice, none left out, and what one thread or task posts in the order in which it is posted. That holds for every
/// delivery, also if posts and registrations race. The article <doc:Replay> says more.
public struct NotificationReplay: Sendable {
    /// The type of the notifications that are kept, which is known to be `Sendable`; `nil` if none are. Nothing else is read of
    /// types that are not replayed, and as it is a constant, the compiler knows the answer where it knows the type.
    @export(implementation) let type: (any SendableMetatype.Type)?

    /// A ``NotificationKeeper`` of the type, if notifications are not kept as they are.
    @export(implementation) let keeper: (any AnyObject & Sendable)?

    @export(implementation)
    init(_ type: (any SendableMetatype.Type)?, keeper: (any AnyObject & Sendable)? = nil) {
        self.type = type
        self.keeper = keeper
    }

    /// Nothing is kept: an observer begins with what is posted after its registration.
    @export(implementation) public static var none: NotificationReplay { NotificationReplay(nil) }

    /// The latest notification is kept, as it was posted, until its sender is gone, or the center is.
    ///
    /// The notification has to be `Sendable`, as other threads are handed it. It must not hold its sender, if that is an object,
    /// as the sender would live as long as the notification: declare it as `weak var sender: Account?`, or keep the notification
    /// without it, by ``latest(keeping:making:)``. Where the type of senders is a class, the program ends with a message that
    /// says so when the type is first posted or observed.
    ///
    /// - Parameter type: The type that asks for it, which is `Self.self`. The program ends if it is another.
    /// - Returns: The choice.
    @export(implementation)
    public static func latest<N: NotificationContent & Sendable>(of type: N.Type) -> NotificationReplay {
        NotificationReplay(type)
    }

    /// The content of the latest notification is kept, without its sender, which it is joined with again for each observer that
    /// comes late.
    ///
    /// ```swift
    /// struct SubscriptionsChanged: TypedNotification, Sendable {
    ///     static let replay = NotificationReplay.latest(
    ///         keeping: { (note: SubscriptionsChanged) in note.subscribed },
    ///         making: { SubscriptionsChanged(sender: $0, subscribed: $1) })
    ///     let sender: Account
    ///     var subscribed: Set<Int> = []
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - content: Takes the content out of a notification that is posted. It must not hold the sender.
    ///   - notification: Makes a notification of a sender and the content.
    /// - Returns: The choice, for the type of notification that the closures take and make, and no other.
    public static func latest<N: TypedNotification & Sendable, Content: Sendable>(
        keeping content: @escaping @Sendable (N) -> Content,
        making notification: @escaping @Sendable (N.Sender, Content) -> N
    ) -> NotificationReplay {
        NotificationReplay(
            N.self,
            keeper: NotificationKeeper<N> { note in
                let content = content(note)
                return { sender in notification(sender, content) }
            })
    }

    /// Whether nothing is kept.
    @export(implementation) package var isNone: Bool { type == nil }
}

/// Keeps notifications without their senders.
final class NotificationKeeper<N: TypedNotification>: Sendable {
    /// Takes the content out of a notification, and returns what joins it with a sender again.
    let keep: @Sendable (N) -> @Sendable (N.Sender) -> N

    init(_ keep: @escaping @Sendable (N) -> @Sendable (N.Sender) -> N) { self.keep = keep }
}

extension NotificationContent {
    /// Keeps nothing.
    @export(implementation) public static var replay: NotificationReplay { .none }
}

extension NotificationReplay {
    /// What takes the content out of the notifications of a type that asks for it; `nil` if they are kept as they are. The program
    /// ends if they cannot be.
    static func keeper<N: TypedNotification>(of type: N.Type) -> NotificationKeeper<N>? {
        let content = (type as? any BelongsToMainActor.Type)?.content ?? type
        let name = QualifiedTypeName(content).full
        let replay = type.replay
        // Not preconditions, whose messages an optimised program does not print.
        guard let asking = replay.type, asking == content else {
            fatalError("the replay of \(name) is made for another type")
        }
        if let keeper = replay.keeper as? NotificationKeeper<N> { return keeper }
        if case .identity = type.senderComparison.rule {
            fatalError(
                """
                \(name) asks for the latest notification to be kept, and its sender would live as long as that: declare it as \
                'weak var sender: \(N.Sender.self)?', or say '.latest(keeping:making:)'
                """)
        }
        return nil
    }
}
