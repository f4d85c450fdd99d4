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
/// Structs, enums, classes and actors can all be notifications. A notification without a `sender` property has the sender
/// type `Void`. Observers that run in the post do not need it to be `Sendable`; every asynchronous delivery does.
///
/// The static type counts: a class notification that is posted as its superclass reaches the observers of the superclass alone.
///
/// ## Senders
///
/// An observer can be limited to one sender, of a `Sendable` type, as every thread that posts compares it. These rules say
/// whether two senders are the same:
///
/// - objects, of any class or actor, are compared by identity, also if they are `Hashable`; observers hold them weakly;
/// - other `Hashable` values are compared by type and equality: `1` is not `1.0`, and a value that does not equal itself, such as
///   a NaN, equals no sender;
/// - an optional is unwrapped first: `nil` limits an observer to nothing, and a post from `nil` reaches only the observers
///   without a limit;
/// - a value that is neither an object nor `Hashable` equals no sender.
///
/// Where the static type is an optional, a protocol or `Any`, the value decides at run time.
public protocol TypedNotification: NotificationContent where Isolation == Never {}

/// A notification that is posted and observed on the main actor, synchronously.
///
/// Its payload need not be `Sendable`: it can contain views and view controllers. Posting it off the main actor does not
/// compile, on any center, nor in generic code. Its observers are main-actor closures, called in the post.
///
/// ```swift
/// struct WillShow: MainActorNotification { let view: View }
/// ```
///
/// It is a sibling of ``TypedNotification``, not a kind of it, and a type cannot be both. For the sender, the same rules
/// hold as there, but that it may be of any type, as it is only looked at on the main actor.
public protocol MainActorNotification: NotificationContent where Isolation == MainActor {}

/// The requirements of every notification: a name made from its type, and the sender that it is about.
///
/// Adopt one of the two protocols that refine it: ``TypedNotification`` for a notification that may be posted anywhere,
/// ``MainActorNotification`` for one that belongs to the main actor. A type cannot adopt both.
public protocol NotificationContent: Namespaced, SendableMetatype {
    /// The type of the sender: a class, a `Hashable` value, an existential, or `Void` for a notification without one.
    associatedtype Sender = Void

    /// The actor to which the notification belongs: the main actor, or `Never` if it may be posted from anywhere. The two refining
    /// protocols decide it.
    associatedtype Isolation

    /// The name of the notification in centers that work with names, such as Foundation's.
    ///
    /// The default is the namespace and the type, `namespace.Outer.Inner`. The native center does not use it: there, the type
    /// itself is the identity.
    ///
    /// Declare a name of your own for a private or local type that is posted through Foundation's center: the default
    /// then contains an address, which is unique within a process but changes from one launch to the next.
    static var name: String { get }

    /// The object or value that the notification is about. Observers can be limited to one sender.
    var sender: Sender { get }

    /// How senders are told apart. The compiler chooses it by the type of the sender: do not implement it.
    static var senderComparison: SenderComparison<Sender> { get }

    /// Whether an observer that comes late begins with the latest notification. The default is that it does not.
    static var replay: NotificationReplay { get }
}

extension NotificationContent {
    /// The namespace and the type, `namespace.Outer.Inner`.
    public static var name: String { "\(namespace).\(QualifiedTypeName(Self.self).path)" }
}

extension NotificationContent where Sender == Void {
    /// Nothing: the notification has no sender.
    public var sender: Void { () }
}
