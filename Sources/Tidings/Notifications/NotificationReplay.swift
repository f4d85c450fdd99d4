/// Determines whether a new observer first receives the latest notification of a type that describes a state.
///
/// A type opts in:
///
/// ```swift
/// struct ConnectionChanged: TypedNotification, Sendable {
///     static var replay: NotificationReplay { .latest(of: Self.self) }
///     let isOnline: Bool
/// }
/// ```
///
/// The native center keeps the latest notification of such a type for each sender. A new observer first receives the
/// latest notification of its sender or, if it isn't limited to a sender, the latest of all senders. After that, the
/// observer receives every later notification exactly once, in the order in which each thread or task posts, even if
/// posts and registrations race. To read the latest notification without an observer, call `center.latest(of:)`. To
/// replay a type that doesn't opt in, create the center with
/// ``NativeNotificationCenter/init(replaying:keepsEnded:)``. See <doc:Replay>.
public struct NotificationReplay: Sendable {
    /// The replayed type; `nil` for ``none``. For a type that isn't replayed, a post reads only this property, which is
    /// a constant wherever the compiler knows the type.
    @export(implementation) let type: (any SendableMetatype.Type)?

    @export(implementation) let keeper: (any AnyObject & Sendable)?

    @export(implementation)
    init(_ type: (any SendableMetatype.Type)?, keeper: (any AnyObject & Sendable)? = nil) {
        self.type = type
        self.keeper = keeper
    }

    /// Nothing is kept: an observer only receives notifications that are posted after its registration.
    @export(implementation) public static var none: NotificationReplay { NotificationReplay(nil) }

    /// Keeps the latest notification, unchanged, until its sender or the center is deallocated.
    ///
    /// The notification has to be `Sendable`, because other threads receive it. It mustn't strongly hold a sender that
    /// is an object, because the kept notification would keep the sender alive. Declare the sender as `weak var
    /// sender: Account?`, or use ``latest(keeping:making:)``, which keeps the notification without its sender. If the
    /// static type of senders is a class and not an optional, the program stops when the notification type is first
    /// posted or observed.
    ///
    /// - Parameter type: The replayed type; `Self.self` if a type opts in. The program stops if the replay is used for
    ///   another type.
    /// - Returns: The replay of the type.
    @export(implementation)
    public static func latest<N: NotificationContent & Sendable>(of type: N.Type) -> NotificationReplay {
        NotificationReplay(type)
    }

    /// Keeps the content of the latest notification. For each new observer, a notification is created from the content.
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
    ///   - content: Returns the content of a posted notification. The content mustn't hold the sender.
    ///   - notification: Creates a notification from a sender and the content.
    /// - Returns: The replay of the notification type that the closures use. It can't be used for another type.
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

    @export(implementation) package var isNone: Bool { type == nil }
}

final class NotificationKeeper<N: TypedNotification>: Sendable {
    let keep: @Sendable (N) -> @Sendable (N.Sender) -> N

    init(_ keep: @escaping @Sendable (N) -> @Sendable (N.Sender) -> N) { self.keep = keep }
}

extension NotificationContent {
    /// Keeps nothing.
    @export(implementation) public static var replay: NotificationReplay { .none }
}

extension NotificationReplay {
    /// Returns `nil` if notifications of the type are kept unchanged. The program stops if a kept notification would
    /// keep its sender alive.
    func keeper<N: TypedNotification>(of type: N.Type) -> NotificationKeeper<N>? {
        let content = (type as? any BelongsToMainActor.Type)?.content ?? type
        let name = QualifiedTypeName(content).full
        // This isn't a precondition, because an optimized program doesn't print a precondition's message.
        guard let asking = self.type, asking == content else {
            fatalError("the replay of \(name) was created for another type")
        }
        if let keeper = keeper as? NotificationKeeper<N> { return keeper }
        if case .identity = type.senderComparison.rule {
            fatalError(
                """
                \(name) is replayed, and the kept notification would keep its sender alive: declare the sender as \
                'weak var sender: \(N.Sender.self)?', or use '.latest(keeping:making:)'
                """)
        }
        return nil
    }
}
