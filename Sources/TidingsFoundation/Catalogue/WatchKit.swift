#if canImport(WatchKit)
    public import WatchKit

    /// The life cycle of a watchOS app: `WKExtension`'s notifications, which are posted on the main thread. The names
    /// are the SDK's constants. Observing them hasn't been tested on Apple's systems.
    @nonexhaustive
    public enum WKExtensionNotification: MainActorNotificationDescriptor, CaseIterable {
        /// The app has been launched.
        case applicationDidFinishLaunching
        /// The app has become active.
        case applicationDidBecomeActive
        /// The app is about to become inactive.
        case applicationWillResignActive
        /// The app is about to leave the background.
        case applicationWillEnterForeground
        /// The app has entered the background.
        case applicationDidEnterBackground

        /// The name of the notification.
        public var name: Notification.Name {
            switch self {
            case .applicationDidFinishLaunching: WKExtension.applicationDidFinishLaunchingNotification
            case .applicationDidBecomeActive: WKExtension.applicationDidBecomeActiveNotification
            case .applicationWillResignActive: WKExtension.applicationWillResignActiveNotification
            case .applicationWillEnterForeground: WKExtension.applicationWillEnterForegroundNotification
            case .applicationDidEnterBackground: WKExtension.applicationDidEnterBackgroundNotification
            }
        }

        /// Creates the notification, which consists only of its name.
        public func encode(_ payload: Void) throws(NotificationEncodingError) -> Notification {
            Notification(name: name)
        }

        /// Returns without reading anything, because the notification has no data.
        public func decode(_ notification: Notification) throws(NotificationDecodingError) {}
    }
#endif
