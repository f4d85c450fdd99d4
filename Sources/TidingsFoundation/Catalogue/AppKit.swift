#if canImport(AppKit)
    public import AppKit

    // What AppKit posts, always on the main thread.

    /// What happens to a window: each case describes one of `NSWindow`'s notifications, which are posted on the
    /// main thread.
    public enum NSWindowNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the NSWindow.
        public typealias Payload = NSWindow

        /// It receives what is typed.
        case didBecomeKey = "NSWindowDidBecomeKeyNotification"

        /// It no longer receives what is typed.
        case didResignKey = "NSWindowDidResignKeyNotification"

        /// It is the main window.
        case didBecomeMain = "NSWindowDidBecomeMainNotification"

        /// It is no longer the main window.
        case didResignMain = "NSWindowDidResignMainNotification"

        /// The user is about to move it.
        case willMove = "NSWindowWillMoveNotification"

        /// It was moved.
        case didMove = "NSWindowDidMoveNotification"

        /// Its size was changed.
        case didResize = "NSWindowDidResizeNotification"

        /// The user begins to change its size.
        case willStartLiveResize = "NSWindowWillStartLiveResizeNotification"

        /// The user has changed its size.
        case didEndLiveResize = "NSWindowDidEndLiveResizeNotification"

        /// It is about to be put into the Dock.
        case willMiniaturize = "NSWindowWillMiniaturizeNotification"

        /// It was put into the Dock.
        case didMiniaturize = "NSWindowDidMiniaturizeNotification"

        /// It was taken out of the Dock.
        case didDeminiaturize = "NSWindowDidDeminiaturizeNotification"

        /// It is about to fill the screen.
        case willEnterFullScreen = "NSWindowWillEnterFullScreenNotification"

        /// It fills the screen.
        case didEnterFullScreen = "NSWindowDidEnterFullScreenNotification"

        /// It is about to no longer fill the screen.
        case willExitFullScreen = "NSWindowWillExitFullScreenNotification"

        /// It no longer fills the screen.
        case didExitFullScreen = "NSWindowDidExitFullScreenNotification"

        /// It is on another screen.
        case didChangeScreen = "NSWindowDidChangeScreenNotification"

        /// It has become visible, or is no longer.
        case didChangeOcclusionState = "NSWindowDidChangeOcclusionStateNotification"

        /// The resolution or the colors of its screen have changed.
        case didChangeBackingProperties = "NSWindowDidChangeBackingPropertiesNotification"

        /// It is about to be closed.
        case willClose = "NSWindowWillCloseNotification"
    }

    /// What happens to the app: each case describes one of `NSApplication`'s notifications, which are posted on
    /// the main thread.
    public enum NSApplicationNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the NSApplication.
        public typealias Payload = NSApplication

        /// The app is about to be launched.
        case willFinishLaunching = "NSApplicationWillFinishLaunchingNotification"

        /// The app has been launched.
        case didFinishLaunching = "NSApplicationDidFinishLaunchingNotification"

        /// The app is about to become active.
        case willBecomeActive = "NSApplicationWillBecomeActiveNotification"

        /// The app has become active.
        case didBecomeActive = "NSApplicationDidBecomeActiveNotification"

        /// The app is about to be no longer active.
        case willResignActive = "NSApplicationWillResignActiveNotification"

        /// The app is no longer active.
        case didResignActive = "NSApplicationDidResignActiveNotification"

        /// The app is about to be hidden.
        case willHide = "NSApplicationWillHideNotification"

        /// The app was hidden.
        case didHide = "NSApplicationDidHideNotification"

        /// The app is about to be shown again.
        case willUnhide = "NSApplicationWillUnhideNotification"

        /// The app is shown again.
        case didUnhide = "NSApplicationDidUnhideNotification"

        /// A screen was connected, disconnected or changed.
        case didChangeScreenParameters = "NSApplicationDidChangeScreenParametersNotification"

        /// A part of the app has become visible, or no part is any longer.
        case didChangeOcclusionState = "NSApplicationDidChangeOcclusionStateNotification"

        /// The app is about to end.
        case willTerminate = "NSApplicationWillTerminateNotification"
    }

    /// What happens to the machine and its user: each case describes one of `NSWorkspace`'s notifications, which
    /// are posted on the main thread, on `NSWorkspace.shared.notificationCenter`.
    public enum NSWorkspaceNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the NSWorkspace.
        public typealias Payload = NSWorkspace

        /// The machine is about to sleep.
        case willSleep = "NSWorkspaceWillSleepNotification"

        /// The machine has woken up.
        case didWake = "NSWorkspaceDidWakeNotification"

        /// The screens were switched off.
        case screensDidSleep = "NSWorkspaceScreensDidSleepNotification"

        /// The screens were switched on.
        case screensDidWake = "NSWorkspaceScreensDidWakeNotification"

        /// The user logs out, or shuts the machine down.
        case willPowerOff = "NSWorkspaceWillPowerOffNotification"

        /// The user's session was switched in.
        case sessionDidBecomeActive = "NSWorkspaceSessionDidBecomeActiveNotification"

        /// The user's session was switched out.
        case sessionDidResignActive = "NSWorkspaceSessionDidResignActiveNotification"

        /// The user has gone to another space.
        case activeSpaceDidChange = "NSWorkspaceActiveSpaceDidChangeNotification"
    }

    /// What another app does: each case describes one of `NSWorkspace`'s notifications, which are posted on the
    /// main thread, on `NSWorkspace.shared.notificationCenter`.
    public enum NSWorkspaceApplicationNotification: String, MainActorNotificationDescriptor, CaseIterable {
        /// It is about to be launched.
        case willLaunchApplication = "NSWorkspaceWillLaunchApplicationNotification"
        /// It was launched.
        case didLaunchApplication = "NSWorkspaceDidLaunchApplicationNotification"
        /// It has ended.
        case didTerminateApplication = "NSWorkspaceDidTerminateApplicationNotification"
        /// It has become active.
        case didActivateApplication = "NSWorkspaceDidActivateApplicationNotification"
        /// It is no longer active.
        case didDeactivateApplication = "NSWorkspaceDidDeactivateApplicationNotification"
        /// It was hidden.
        case didHideApplication = "NSWorkspaceDidHideApplicationNotification"
        /// It is shown again.
        case didUnhideApplication = "NSWorkspaceDidUnhideApplicationNotification"

        /// The raw value.
        public var name: Notification.Name { Notification.Name(rawValue) }

        /// Makes the notification that AppKit would post.
        public func encode(_ payload: NSRunningApplication) throws(NotificationEncodingError) -> Notification {
            Notification(name: name, object: nil, userInfo: ["NSWorkspaceApplicationKey": payload])
        }

        /// Reads the app from `userInfo`.
        public func decode(_ notification: Notification) throws(NotificationDecodingError) -> NSRunningApplication {
            try UserInfoReader(notification).value(for: "NSWorkspaceApplicationKey", as: NSRunningApplication.self)
        }
    }

    /// A volume that was mounted or unmounted.
    public struct NSWorkspaceVolume: Codable, Equatable, Sendable {
        /// Where the volume is mounted.
        public var url: URL

        /// The name of the volume.
        public var localizedName: String?

        private enum CodingKeys: String, CodingKey {
            case url = "NSWorkspaceVolumeURLKey"
            case localizedName = "NSWorkspaceVolumeLocalizedNameKey"
        }

        /// Describes a volume.
        ///
        /// - Parameters:
        ///   - url: Where the volume is mounted.
        ///   - localizedName: The name of the volume.
        public init(url: URL, localizedName: String? = nil) {
            self.url = url
            self.localizedName = localizedName
        }
    }

    /// What happens to a volume: each case describes one of `NSWorkspace`'s notifications, which are posted on
    /// the main thread, on `NSWorkspace.shared.notificationCenter`.
    public enum NSWorkspaceVolumeNotification: String, MainActorNotificationDescriptor, CaseIterable {
        /// It was mounted.
        case didMount = "NSWorkspaceDidMountNotification"
        /// It is about to be unmounted.
        case willUnmount = "NSWorkspaceWillUnmountNotification"
        /// It was unmounted.
        case didUnmount = "NSWorkspaceDidUnmountNotification"

        /// The raw value.
        public var name: Notification.Name { Notification.Name(rawValue) }

        /// Makes the notification that AppKit would post.
        public func encode(_ payload: NSWorkspaceVolume) throws(NotificationEncodingError) -> Notification {
            let userInfo = try UserInfoEncoder(form: .objects).encode(payload, notification: name)
            return Notification(name: name, userInfo: userInfo)
        }

        /// Reads the volume from `userInfo`.
        public func decode(_ notification: Notification) throws(NotificationDecodingError) -> NSWorkspaceVolume {
            try UserInfoDecoder().decode(from: notification)
        }
    }
#endif
