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
/// type `Void`. It need not be `Sendable` for observers that run in the post; every asynchronous delivery asks for it.
///
/// ## Senders
///
/// An observer can be limited to one sender. Which sender that is, is decided like this:
///
/// - an object, of any class or actor, also one that is `Hashable`, counts by identity, and is held weakly;
/// - any other `Hashable` value counts by equality;
/// - an optional is unwrapped first: `nil` limits an observer to nothing, and a post from `nil` reaches only the observers
///   without a limit;
/// - a value that is neither an object nor `Hashable` never matches.
///
/// Where the static type leaves it open, as for `Any` or a protocol, the value decides at run time.
public protocol TypedNotification: NotificationContent where Isolation == AnyIsolation {}

/// The isolation of a notification that may be posted from anywhere.
public enum AnyIsolation {}
