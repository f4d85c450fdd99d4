public import Foundation

/// The events of the keyboard. Each case describes one of UIKit's notifications.
///
/// UIKit posts these notifications on the main thread, so observers are main-actor closures, called during the post.
/// The changes that an observer makes are in place when the keyboard's animation begins.
///
/// ```swift
/// center.addObserver(descriptor: KeyboardNotification.willShow) { payload in
///     scrollView.contentInset.bottom = payload.endingFrame.height
/// }
/// .store(in: &tokens)
/// ```
///
/// A class that observes several of the events can adopt ``KeyboardNotificationObserver``.
@nonexhaustive
public enum KeyboardNotification: MainActorNotificationDescriptor, CaseIterable {
    /// The keyboard is about to appear.
    case willShow
    /// The keyboard has appeared.
    case didShow
    /// The keyboard is about to disappear.
    case willHide
    /// The keyboard has disappeared.
    case didHide
    /// The keyboard is about to change its frame.
    case willChangeFrame
    /// The keyboard has changed its frame.
    case didChangeFrame

    /// UIKit's name for the notification.
    public var name: Notification.Name {
        switch self {
        case .willShow: Notification.Name("UIKeyboardWillShowNotification")
        case .didShow: Notification.Name("UIKeyboardDidShowNotification")
        case .willHide: Notification.Name("UIKeyboardWillHideNotification")
        case .didHide: Notification.Name("UIKeyboardDidHideNotification")
        case .willChangeFrame: Notification.Name("UIKeyboardWillChangeFrameNotification")
        case .didChangeFrame: Notification.Name("UIKeyboardDidChangeFrameNotification")
        }
    }

    /// Creates a notification with the keys and values that UIKit uses.
    public nonisolated func encode(_ payload: KeyboardPayload) throws(NotificationEncodingError) -> Notification {
        let userInfo = try UserInfoEncoder(form: .objects).encode(payload, notification: name)
        return Notification(name: name, userInfo: userInfo)
    }

    /// Decodes one of UIKit's notifications. Throws an error for the first key that is missing or has a wrong value.
    public nonisolated func decode(_ notification: Notification) throws(NotificationDecodingError) -> KeyboardPayload {
        try UserInfoDecoder().decode(from: notification)
    }
}

/// A class that observes a set of keyboard events, until it deregisters or is deallocated.
///
/// Implement ``receivedKeyboardNotification(_:payload:)``, and call `registerKeyboardNotifications(_:)`. There is no
/// token to store, and the object isn't retained.
///
/// ```swift
/// final class ViewController: UIViewController, KeyboardNotificationObserver {
///     override func viewWillAppear(_ animated: Bool) {
///         super.viewWillAppear(animated)
///         registerKeyboardNotifications([.willShow, .willHide])
///     }
///
///     override func viewDidDisappear(_ animated: Bool) {
///         super.viewDidDisappear(animated)
///         deregisterKeyboardNotifications()
///     }
///
///     func receivedKeyboardNotification(_ notification: KeyboardNotification, payload: KeyboardPayload) {
///         payload.animate { self.makeRoom(payload.endingFrame) }
///     }
/// }
/// ```
@MainActor
public protocol KeyboardNotificationObserver: NotificationSetObserver {
    /// Receives a keyboard event, on the main actor, during the post.
    ///
    /// - Parameters:
    ///   - notification: The event.
    ///   - payload: The frames and the animation of the keyboard.
    func receivedKeyboardNotification(_ notification: KeyboardNotification, payload: KeyboardPayload)
}

extension KeyboardNotificationObserver {
    /// Starts receiving keyboard events. These replace the events that were registered before.
    ///
    /// - Parameter notifications: The events.
    @export(implementation)
    public func registerKeyboardNotifications(_ notifications: Set<KeyboardNotification>) {
        registerNotifications(notifications) { me, notification, payload in
            me.receivedKeyboardNotification(notification, payload: payload)
        }
    }

    /// Stops receiving keyboard events. Calling it again has no effect.
    @export(implementation)
    public func deregisterKeyboardNotifications() {
        deregisterNotifications(KeyboardNotification.self)
    }
}
