public import Foundation

/// A main-actor notification that is an untyped one too, for what a framework posts on the main thread.
///
/// ```swift
/// struct WindowDidMove: MainActorBridgedNotification, Codable {
///     static let name = "NSWindowDidMoveNotification"
///     @NotificationSender var sender: NSWindow
/// }
/// ```
///
/// Observers are main-actor closures, called in the post. One that is posted off the main actor all the same is delivered
/// there afterwards, and reported, see ``NotificationReport``.
///
/// It is a sibling of ``BridgedNotification``, not a kind of it, and a type cannot be both; the same defaults hold.
public protocol MainActorBridgedNotification: MainActorNotification {
    /// Makes the typed notification from a Foundation notification.
    ///
    /// - Parameter notification: A notification with the type's name. Any code may have posted it: anything may be in it or
    ///   missing.
    /// - Throws: An error that says what is missing or wrong, and where.
    @MainActor
    init(bridging notification: Notification) throws(NotificationDecodingError)

    /// Makes the Foundation notification, with the type's name and the sender as the object.
    ///
    /// - Returns: The notification.
    /// - Throws: An error that says why there is none.
    @MainActor
    func bridged() throws(NotificationEncodingError) -> Notification

    /// The form in which the default ``bridged()`` writes the properties of an `Encodable` type into `userInfo`: by default, as
    /// they are.
    static var userInfoForm: UserInfoForm { get }
}

extension MainActorBridgedNotification {
    /// Each property as it is, as a poster by hand would have put it there.
    public static var userInfoForm: UserInfoForm { .values }
}

extension MainActorBridgedNotification where Self: Decodable {
    /// Decodes the notification's `userInfo`, and its object where there is a ``NotificationSender``.
    @MainActor
    public init(bridging notification: Notification) throws(NotificationDecodingError) {
        self = try UserInfoDecoder().decode(from: notification)
    }
}

extension MainActorBridgedNotification where Self: Encodable {
    /// Encodes the typed notification as `userInfo`, with the sender as the object.
    @MainActor
    public func bridged() throws(NotificationEncodingError) -> Notification {
        try Notification(encoding: self, named: Self.name, from: sender, form: Self.userInfoForm)
    }
}

/// On its way through a center, a main-actor notification is bridged as itself.
extension OnMainActor: BridgedNotification where N: MainActorBridgedNotification {
    /// Makes the notification, on the main actor: only observers that belong there are handed one.
    @usableFromInline
    package init(bridging notification: Notification) throws(NotificationDecodingError) {
        // Nothing crosses an isolation boundary: this is the main actor, which `assumeIsolated` checks.
        nonisolated(unsafe) let notification = notification
        // Only this call has it.
        nonisolated(unsafe) var made: Result<Self, NotificationDecodingError>?
        MainActor.assumeIsolated {
            unsafe made = Result { () throws(NotificationDecodingError) in
                OnMainActor(notification: try unsafe N(bridging: notification))
            }
        }
        guard let made = unsafe made else { preconditionFailure("the closure has run") }
        self = try made.get()
    }

    /// Makes the Foundation notification, on the main actor: only there is one posted.
    @usableFromInline
    package func bridged() throws(NotificationEncodingError) -> Notification {
        // Nothing crosses an isolation boundary: this is the main actor, which `assumeIsolated` checks.
        nonisolated(unsafe) let notification = notification
        // As above.
        nonisolated(unsafe) var made: Result<Notification, NotificationEncodingError>?
        MainActor.assumeIsolated {
            unsafe made = Result { () throws(NotificationEncodingError) in try unsafe notification.bridged() }
        }
        guard let made = unsafe made else { preconditionFailure("the closure has run") }
        return try made.get()
    }
}
