#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    // What UIKit posts, always on the main thread. The keyboard's notifications are ``KeyboardNotification``.

    /// What happens to the app: each case describes one of `UIApplication`'s notifications, which are posted on
    /// the main thread.
    ///
    /// ```swift
    /// center.addObserver(descriptor: UIApplicationNotification.didBecomeActive) { app in ... }.store(in: &tokens)
    /// ```
    public enum UIApplicationNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the UIApplication.
        public typealias Payload = UIApplication

        /// The app has been launched.
        case didFinishLaunching = "UIApplicationDidFinishLaunchingNotification"

        /// The app has become active.
        case didBecomeActive = "UIApplicationDidBecomeActiveNotification"

        /// The app is about to be no longer active.
        case willResignActive = "UIApplicationWillResignActiveNotification"

        /// The app is in the background.
        case didEnterBackground = "UIApplicationDidEnterBackgroundNotification"

        /// The app is about to leave the background.
        case willEnterForeground = "UIApplicationWillEnterForegroundNotification"

        /// The app is about to be ended.
        case willTerminate = "UIApplicationWillTerminateNotification"

        /// Memory is running out.
        case didReceiveMemoryWarning = "UIApplicationDidReceiveMemoryWarningNotification"

        /// It is another day, or the clock or the time zone was changed.
        case significantTimeChange = "UIApplicationSignificantTimeChangeNotification"

        /// The app may, or may no longer, be refreshed in the background.
        case backgroundRefreshStatusDidChange = "UIApplicationBackgroundRefreshStatusDidChangeNotification"

        /// Protected files are about to be locked.
        case protectedDataWillBecomeUnavailable = "UIApplicationProtectedDataWillBecomeUnavailable"

        /// Protected files can be read.
        case protectedDataDidBecomeAvailable = "UIApplicationProtectedDataDidBecomeAvailable"

        /// The user has taken a screenshot.
        case userDidTakeScreenshot = "UIApplicationUserDidTakeScreenshotNotification"
    }

    /// What happens to a scene of the app: each case describes one of `UIScene`'s notifications, which are posted
    /// on the main thread.
    public enum UISceneNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the UIScene.
        public typealias Payload = UIScene

        /// The scene is about to be connected to the app.
        case willConnect = "UISceneWillConnectNotification"

        /// The scene was disconnected from the app.
        case didDisconnect = "UISceneDidDisconnectNotification"

        /// The scene has become active.
        case didActivate = "UISceneDidActivateNotification"

        /// The scene is about to be no longer active.
        case willDeactivate = "UISceneWillDeactivateNotification"

        /// The scene is about to leave the background.
        case willEnterForeground = "UISceneWillEnterForegroundNotification"

        /// The scene is in the background.
        case didEnterBackground = "UISceneDidEnterBackgroundNotification"
    }

    /// What happens to the device: each case describes one of `UIDevice`'s notifications, which are posted on the
    /// main thread, while the device is asked to watch for it. The device has the new value.
    public enum UIDeviceNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the UIDevice.
        public typealias Payload = UIDevice

        /// The device was turned.
        case orientationDidChange = "UIDeviceOrientationDidChangeNotification"

        /// The battery is charged, or no longer.
        case batteryStateDidChange = "UIDeviceBatteryStateDidChangeNotification"

        /// The level of the battery has changed.
        case batteryLevelDidChange = "UIDeviceBatteryLevelDidChangeNotification"

        /// The device is held to the ear, or no longer.
        case proximityStateDidChange = "UIDeviceProximityStateDidChangeNotification"
    }

    /// What the user does in a text field: each case describes one of `UITextField`'s notifications, which are
    /// posted on the main thread.
    public enum UITextFieldNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the UITextField.
        public typealias Payload = UITextField

        /// Editing has begun.
        case textDidBeginEditing = "UITextFieldTextDidBeginEditingNotification"

        /// The text has changed.
        case textDidChange = "UITextFieldTextDidChangeNotification"

        /// Editing has ended.
        case textDidEndEditing = "UITextFieldTextDidEndEditingNotification"
    }

    /// What the user does in a text view: each case describes one of `UITextView`'s notifications, which are
    /// posted on the main thread.
    public enum UITextViewNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the UITextView.
        public typealias Payload = UITextView

        /// Editing has begun.
        case textDidBeginEditing = "UITextViewTextDidBeginEditingNotification"

        /// The text has changed.
        case textDidChange = "UITextViewTextDidChangeNotification"

        /// Editing has ended.
        case textDidEndEditing = "UITextViewTextDidEndEditingNotification"
    }

    extension UITextInputMode {
        /// The user has chosen another keyboard, or dictation:
        /// `UITextInputMode.currentInputModeDidChangeNotification`. Posted on the main thread.
        public struct CurrentDidChange: MainActorBridgedNotification, Codable, Sendable {
            /// The name of the notification.
            public static var name: String { "UITextInputCurrentInputModeDidChangeNotification" }

            /// Makes the notification.
            public init() {}
        }
    }
#endif
