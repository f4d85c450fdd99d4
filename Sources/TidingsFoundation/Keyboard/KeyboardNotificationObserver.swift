/// A class that observes a set of keyboard events, for as long as it likes or lives.
///
/// Implement ``receivedKeyboardNotification(_:payload:)``, and register. There is no token to keep: the object is not
/// retained, and one that forgets to deregister is forgotten when it is gone.
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
    /// Receives a keyboard event, on the main actor, in the post.
    ///
    /// - Parameters:
    ///   - notification: The event.
    ///   - payload: What it says.
    func receivedKeyboardNotification(_ notification: KeyboardNotification, payload: KeyboardPayload)
}

extension KeyboardNotificationObserver {
    /// Begins to receive keyboard events, in place of those registered before.
    ///
    /// - Parameter notifications: The events.
    public func registerKeyboardNotifications(_ notifications: Set<KeyboardNotification>) {
        registerNotifications(notifications) { me, notification, payload in
            me.receivedKeyboardNotification(notification, payload: payload)
        }
    }

    /// Ends receiving keyboard events. Calling it again does nothing.
    public func deregisterKeyboardNotifications() {
        deregisterNotifications(KeyboardNotification.self)
    }
}
