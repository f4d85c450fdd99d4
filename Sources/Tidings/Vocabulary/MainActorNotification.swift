/// A notification that is posted and observed on the main actor, synchronously.
///
/// Its payload need not be `Sendable`: views and view controllers travel as they are. Posting one off the main actor does
/// not compile, on any center and in generic code alike. Its observers are main-actor closures, called in the post.
///
/// ```swift
/// struct WillShow: MainActorNotification { let view: View }
/// ```
///
/// It is a sibling of ``TypedNotification``, not a kind of it, and a type cannot be both. For the sender, the same rules
/// hold as there.
public protocol MainActorNotification: NotificationContent where Isolation == MainActor {}
