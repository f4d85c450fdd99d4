#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    /// The events of the app: `UIApplication`'s notifications, which are posted on the main thread.
    ///
    /// ```swift
    /// center.addObserver(descriptor: UIApplicationNotification.didBecomeActive) { app in ... }.store(in: &tokens)
    /// ```
    @nonexhaustive
    public enum UIApplicationNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the UIApplication.
        public typealias Payload = UIApplication

        /// The app has finished launching.
        case didFinishLaunching = "UIApplicationDidFinishLaunchingNotification"
        /// The app has become active.
        case didBecomeActive = "UIApplicationDidBecomeActiveNotification"
        /// The app is about to become inactive.
        case willResignActive = "UIApplicationWillResignActiveNotification"
        /// The app has entered the background.
        case didEnterBackground = "UIApplicationDidEnterBackgroundNotification"
        /// The app is about to enter the foreground.
        case willEnterForeground = "UIApplicationWillEnterForegroundNotification"
        /// The app is about to terminate.
        case willTerminate = "UIApplicationWillTerminateNotification"
        /// Memory is running out.
        case didReceiveMemoryWarning = "UIApplicationDidReceiveMemoryWarningNotification"
        /// A new day has begun, or the clock or the time zone was changed.
        case significantTimeChange = "UIApplicationSignificantTimeChangeNotification"
        /// The permission to refresh the app in the background has changed.
        case backgroundRefreshStatusDidChange = "UIApplicationBackgroundRefreshStatusDidChangeNotification"
        /// Protected files are about to become inaccessible.
        case protectedDataWillBecomeUnavailable = "UIApplicationProtectedDataWillBecomeUnavailable"
        /// Protected files have become accessible.
        case protectedDataDidBecomeAvailable = "UIApplicationProtectedDataDidBecomeAvailable"
        /// The user has taken a screenshot.
        case userDidTakeScreenshot = "UIApplicationUserDidTakeScreenshotNotification"
    }

    /// The events of a scene of the app: `UIScene`'s notifications, which are posted on the main thread.
    @nonexhaustive
    public enum UISceneNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the UIScene.
        public typealias Payload = UIScene

        /// The scene is about to be connected to the app.
        case willConnect = "UISceneWillConnectNotification"
        /// The scene was disconnected from the app.
        case didDisconnect = "UISceneDidDisconnectNotification"
        /// The scene has become active.
        case didActivate = "UISceneDidActivateNotification"
        /// The scene is about to become inactive.
        case willDeactivate = "UISceneWillDeactivateNotification"
        /// The scene is about to enter the foreground.
        case willEnterForeground = "UISceneWillEnterForegroundNotification"
        /// The scene has entered the background.
        case didEnterBackground = "UISceneDidEnterBackgroundNotification"
    }

    /// The events of the device: `UIDevice`'s notifications, posted on the main thread. UIKit posts them only while the
    /// app has enabled them, for example with `isBatteryMonitoringEnabled`. Read the new value from the device.
    @nonexhaustive
    public enum UIDeviceNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the UIDevice.
        public typealias Payload = UIDevice

        /// The orientation of the device has changed.
        case orientationDidChange = "UIDeviceOrientationDidChangeNotification"
        /// The charging state of the battery has changed.
        case batteryStateDidChange = "UIDeviceBatteryStateDidChangeNotification"
        /// The level of the battery has changed.
        case batteryLevelDidChange = "UIDeviceBatteryLevelDidChangeNotification"
        /// The device was moved to or away from the user's ear.
        case proximityStateDidChange = "UIDeviceProximityStateDidChangeNotification"
    }

    /// The editing events of a text field: `UITextField`'s notifications, which are posted on the main thread.
    @nonexhaustive
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

    /// The editing events of a text view: `UITextView`'s notifications, which are posted on the main thread.
    @nonexhaustive
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
        /// The user has switched to another keyboard or to dictation:
        /// `UITextInputMode.currentInputModeDidChangeNotification`. Posted on the main thread.
        public struct CurrentDidChange: MainActorBridgedNotification, Codable, Sendable {
            /// The name of the notification.
            public static var name: String { "UITextInputCurrentInputModeDidChangeNotification" }

            /// Creates the notification.
            public init() {}
        }
    }
#endif
