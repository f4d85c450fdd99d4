public import Foundation

/// A main-actor notification that can be converted from and to an untyped Foundation notification, for notifications
/// that a framework posts on the main thread.
///
/// ```swift
/// struct WindowMoved: MainActorBridgedNotification, Codable {
///     static var name: String { NSWindow.didMoveNotification.rawValue }
///     @NotificationSender var sender: NSWindow
/// }
/// ```
///
/// Observers are main-actor closures, which are called during the post. If such a notification is posted off the main
/// actor, it is delivered on the main actor afterwards, and reported; see ``NotificationReport``. The protocol has the
/// same defaults as ``BridgedNotification``, and a type can't conform to both.
public protocol MainActorBridgedNotification: MainActorNotification {
    /// Creates the typed notification from a Foundation notification.
    ///
    /// - Parameter notification: A notification with the type's name, from any code. Values may be missing or wrong.
    /// - Throws: An error that names the value that is missing or wrong.
    @MainActor
    init(bridging notification: Notification) throws(NotificationDecodingError)

    /// Creates the Foundation notification, with the type's name, and the sender as its object.
    ///
    /// - Returns: The notification.
    /// - Throws: An error that explains why the notification can't be created.
    @MainActor
    func bridged() throws(NotificationEncodingError) -> Notification

    /// How the default ``bridged()`` writes an `Encodable` type's properties into `userInfo`. By default, unchanged.
    static var userInfoForm: UserInfoForm { get }
}

extension MainActorBridgedNotification {
    /// Each property is written unchanged.
    public static var userInfoForm: UserInfoForm { .values }
}

extension MainActorBridgedNotification where Self: Decodable {
    /// Decodes the notification's `userInfo`, and its object if the type has a ``NotificationSender``.
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

extension OnMainActor: BridgedNotification where N: MainActorBridgedNotification {
    /// Creates the notification on the main actor, where all its observers run. Traps elsewhere.
    @usableFromInline
    package init(bridging notification: Notification) throws(NotificationDecodingError) {
        self = try onMainActor(notification) { notification throws(NotificationDecodingError) in
            OnMainActor(notification: try N(bridging: notification))
        }
    }

    @usableFromInline
    package func bridged() throws(NotificationEncodingError) -> Notification {
        try onMainActor(notification) { notification throws(NotificationEncodingError) in try notification.bridged() }
    }
}

private func onMainActor<Value, Made, Failure: Error>(
    _ value: Value, _ make: @MainActor (Value) throws(Failure) -> Made
) throws(Failure) -> Made {
    // This code runs on the main actor, because `assumeIsolated` traps elsewhere. So the values stay there.
    nonisolated(unsafe) let value = value
    nonisolated(unsafe) var made: Result<Made, Failure>?
    MainActor.assumeIsolated { unsafe made = Result { () throws(Failure) in try unsafe make(value) } }
    guard let made = unsafe made else { preconditionFailure("the closure did not run") }
    return try made.get()
}
