/// A notification whose type is its identity and whose properties are its data.
///
/// ```swift
/// struct SubscriptionsChanged: TypedNotification {
///     let sender: Account
///     var subscribed: Set<Int> = []
/// }
/// struct CacheCleared: TypedNotification {}
/// ```
///
/// Structs, enums, classes and actors can be notifications. Without a `sender` property, the sender type is `Void`.
/// Only asynchronous delivery and replay require the notification to be `Sendable`.
///
/// The static type of a notification determines its observers. An object that is posted as its superclass reaches only
/// the observers of the superclass.
///
/// ## Senders
///
/// An observer can be limited to one sender. The sender's type has to be `Sendable`, because every posting thread
/// compares senders. These rules determine whether two senders are the same:
///
/// - Objects of any class or actor are compared by identity, even if they are `Hashable`. Observers hold them weakly.
/// - Other `Hashable` values are compared by type and equality: `1` isn't `1.0`, and a NaN equals no sender.
/// - Optionals are unwrapped first. `nil` doesn't limit an observer, and a post whose sender is `nil` reaches only
///   observers without a limit.
/// - A value that is neither an object nor `Hashable` equals no sender.
///
/// If the static type of the sender is an optional, a protocol or `Any`, the type of each value determines the rule.
public protocol TypedNotification: NotificationContent where Isolation == Never {}

/// A notification that is posted and observed on the main actor, synchronously.
///
/// Its payload doesn't have to be `Sendable`, so it can contain views and view controllers. Posting it off the main
/// actor doesn't compile. Its observers are main-actor closures, which are called before the post returns.
///
/// ```swift
/// struct WillShow: MainActorNotification { let view: View }
/// ```
///
/// This protocol is a sibling of ``TypedNotification``, and a type can't conform to both. The same rules apply to
/// senders, except that a sender can have any type, because it is only used on the main actor.
public protocol MainActorNotification: NotificationContent where Isolation == MainActor {}

/// The requirements of every notification: a name derived from its type, and a sender.
///
/// Adopt ``TypedNotification`` for a notification that can be posted anywhere, or ``MainActorNotification`` for one
/// that is isolated to the main actor.
public protocol NotificationContent: Namespaced, NamedByConstant, SendableMetatype {
    /// The type of the sender: a class, a `Hashable` value, an existential, or `Void` for a notification without a
    /// sender.
    associatedtype Sender = Void

    /// The actor to which the notification is isolated: the main actor or `Never`. The adopted protocol sets it.
    associatedtype Isolation

    /// The name of the notification in centers that use names, such as Foundation's.
    ///
    /// The default is the namespace and the type, as in `namespace.Outer.Inner`. The native center doesn't use names.
    /// You can also declare a constant whose raw value is a string: `static let name = Notification.Name.cacheCleared`.
    ///
    /// Declare a name for a private or local type that is posted through Foundation's center. Its default name contains
    /// an address, which changes from one launch to the next.
    static var name: String { get }

    /// The object or value that the notification is about. Observers can be limited to one sender.
    var sender: Sender { get }

    /// The rule by which senders are compared. The compiler selects it by the type of `sender`. Don't implement it.
    static var senderComparison: SenderComparison<Sender> { get }

    /// Determines whether a new observer first receives the latest notification. By default, it doesn't.
    static var replay: NotificationReplay { get }
}

extension NotificationContent {
    /// The raw value of a name that is declared as a constant; otherwise `namespace.Outer.Inner`.
    public static var name: String { _declaredName ?? "\(namespace).\(QualifiedTypeName(Self.self).path)" }
}

extension NotificationContent where Sender == Void {
    /// No value: the notification has no sender.
    public var sender: Void { () }
}
