public import Foundation

/// What the keyboard does: each case describes one of UIKit's notifications.
///
/// UIKit posts them on the main thread, so observers are main-actor closures, called in the post: what they change there
/// is in place when the keyboard's animation begins.
///
/// ```swift
/// center.addObserver(descriptor: KeyboardNotification.willShow) { payload in
///     scrollView.contentInset.bottom = payload.endingFrame.height
/// }
/// .store(in: &tokens)
/// ```
///
/// A class that is interested in several of them adopts ``KeyboardNotificationObserver``.
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

    /// Makes the notification that UIKit would post.
    ///
    /// - Parameter payload: The payload.
    /// - Returns: The notification.
    public nonisolated func encode(_ payload: KeyboardPayload) -> Notification {
        Notification(
            name: name, object: nil,
            userInfo: [
                Key.startingFrame: payload.startingFrame.untyped,
                Key.endingFrame: payload.endingFrame.untyped,
                Key.animationDuration: NSNumber(value: payload.animationDuration),
                Key.animationCurve: NSNumber(value: payload.animationCurve.rawValue),
                Key.isLocal: NSNumber(value: payload.isLocal),
            ])
    }

    /// Reads what UIKit posts.
    ///
    /// - Parameter notification: A keyboard notification.
    /// - Returns: The payload.
    /// - Throws: An error for the first key that is missing or has a value of another type.
    public nonisolated func decode(_ notification: Notification) throws(NotificationDecodingError) -> KeyboardPayload {
        let reader = UserInfoReader(notification)
        return KeyboardPayload(
            startingFrame: try reader.value(for: Key.startingFrame, as: CGRect.self),
            endingFrame: try reader.value(for: Key.endingFrame, as: CGRect.self),
            animationDuration: try reader.value(for: Key.animationDuration, as: TimeInterval.self),
            animationCurve: try reader.value(for: Key.animationCurve, as: KeyboardPayload.AnimationCurve.self),
            isLocal: try reader.value(for: Key.isLocal, as: Bool.self))
    }

    /// The keys of UIKit's `userInfo`.
    private enum Key {
        static let startingFrame = "UIKeyboardFrameBeginUserInfoKey"
        static let endingFrame = "UIKeyboardFrameEndUserInfoKey"
        static let animationDuration = "UIKeyboardAnimationDurationUserInfoKey"
        static let animationCurve = "UIKeyboardAnimationCurveUserInfoKey"
        static let isLocal = "UIKeyboardIsLocalUserInfoKey"
    }
}
