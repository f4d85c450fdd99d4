#if canImport(AppKit)
    public import AppKit

    /// The events of a view: `NSView`'s notifications, which are posted on the main thread. The names and the object
    /// are taken from the documentation, and haven't been verified on Apple's systems.
    @nonexhaustive
    public enum NSViewNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the NSView.
        public typealias Payload = NSView

        /// The view's frame has changed, and `postsFrameChangedNotifications` is set.
        case frameDidChange = "NSViewFrameDidChangeNotification"
        /// The view's bounds have changed, for example by scrolling, and `postsBoundsChangedNotifications` is set.
        case boundsDidChange = "NSViewBoundsDidChangeNotification"
        /// The view's tracking areas have to be computed again.
        case didUpdateTrackingAreas = "NSViewDidUpdateTrackingAreasNotification"
    }

    /// The events of a window: `NSWindow`'s notifications, which are posted on the main thread.
    @nonexhaustive
    public enum NSWindowNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the NSWindow.
        public typealias Payload = NSWindow

        /// The window has become the key window, which receives keyboard events.
        case didBecomeKey = "NSWindowDidBecomeKeyNotification"
        /// The window is no longer the key window.
        case didResignKey = "NSWindowDidResignKeyNotification"
        /// The window has become the main window.
        case didBecomeMain = "NSWindowDidBecomeMainNotification"
        /// The window is no longer the main window.
        case didResignMain = "NSWindowDidResignMainNotification"
        /// The user is about to move the window.
        case willMove = "NSWindowWillMoveNotification"
        /// The window was moved.
        case didMove = "NSWindowDidMoveNotification"
        /// The window was resized.
        case didResize = "NSWindowDidResizeNotification"
        /// The user begins to resize the window.
        case willStartLiveResize = "NSWindowWillStartLiveResizeNotification"
        /// The user has finished resizing the window.
        case didEndLiveResize = "NSWindowDidEndLiveResizeNotification"
        /// The window is about to be minimized into the Dock.
        case willMiniaturize = "NSWindowWillMiniaturizeNotification"
        /// The window was minimized into the Dock.
        case didMiniaturize = "NSWindowDidMiniaturizeNotification"
        /// The window was restored from the Dock.
        case didDeminiaturize = "NSWindowDidDeminiaturizeNotification"
        /// The window is about to enter full-screen mode.
        case willEnterFullScreen = "NSWindowWillEnterFullScreenNotification"
        /// The window has entered full-screen mode.
        case didEnterFullScreen = "NSWindowDidEnterFullScreenNotification"
        /// The window is about to exit full-screen mode.
        case willExitFullScreen = "NSWindowWillExitFullScreenNotification"
        /// The window has exited full-screen mode.
        case didExitFullScreen = "NSWindowDidExitFullScreenNotification"
        /// The window has moved to another screen.
        case didChangeScreen = "NSWindowDidChangeScreenNotification"
        /// The window has become visible or is no longer visible.
        case didChangeOcclusionState = "NSWindowDidChangeOcclusionStateNotification"
        /// The resolution or the colors of the window's screen have changed.
        case didChangeBackingProperties = "NSWindowDidChangeBackingPropertiesNotification"
        /// The window is about to close.
        case willClose = "NSWindowWillCloseNotification"
    }

    /// The events of the app: `NSApplication`'s notifications, which are posted on the main thread.
    @nonexhaustive
    public enum NSApplicationNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the NSApplication.
        public typealias Payload = NSApplication

        /// The app is about to finish launching.
        case willFinishLaunching = "NSApplicationWillFinishLaunchingNotification"
        /// The app has finished launching.
        case didFinishLaunching = "NSApplicationDidFinishLaunchingNotification"
        /// The app is about to become active.
        case willBecomeActive = "NSApplicationWillBecomeActiveNotification"
        /// The app has become active.
        case didBecomeActive = "NSApplicationDidBecomeActiveNotification"
        /// The app is about to become inactive.
        case willResignActive = "NSApplicationWillResignActiveNotification"
        /// The app has become inactive.
        case didResignActive = "NSApplicationDidResignActiveNotification"
        /// The app is about to be hidden.
        case willHide = "NSApplicationWillHideNotification"
        /// The app was hidden.
        case didHide = "NSApplicationDidHideNotification"
        /// The app is about to be unhidden.
        case willUnhide = "NSApplicationWillUnhideNotification"
        /// The app was unhidden.
        case didUnhide = "NSApplicationDidUnhideNotification"
        /// A screen was connected, disconnected or changed.
        case didChangeScreenParameters = "NSApplicationDidChangeScreenParametersNotification"
        /// A part of the app has become visible, or no part is visible any longer.
        case didChangeOcclusionState = "NSApplicationDidChangeOcclusionStateNotification"
        /// The app is about to terminate.
        case willTerminate = "NSApplicationWillTerminateNotification"
    }

    /// The events of the machine and its user, posted on the main thread, on `NSWorkspace.shared.notificationCenter`.
    @nonexhaustive
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
        /// The user is logging out or shutting down the machine.
        case willPowerOff = "NSWorkspaceWillPowerOffNotification"
        /// The user's session has become active.
        case sessionDidBecomeActive = "NSWorkspaceSessionDidBecomeActiveNotification"
        /// The user's session has become inactive.
        case sessionDidResignActive = "NSWorkspaceSessionDidResignActiveNotification"
        /// The user has switched to another space.
        case activeSpaceDidChange = "NSWorkspaceActiveSpaceDidChangeNotification"
    }

    /// The events of other apps, posted on the main thread, on `NSWorkspace.shared.notificationCenter`.
    @nonexhaustive
    public enum NSWorkspaceApplicationNotification: String, MainActorNotificationDescriptor, CaseIterable {
        /// The app is about to be launched.
        case willLaunchApplication = "NSWorkspaceWillLaunchApplicationNotification"
        /// The app was launched.
        case didLaunchApplication = "NSWorkspaceDidLaunchApplicationNotification"
        /// The app has terminated.
        case didTerminateApplication = "NSWorkspaceDidTerminateApplicationNotification"
        /// The app has become active.
        case didActivateApplication = "NSWorkspaceDidActivateApplicationNotification"
        /// The app has become inactive.
        case didDeactivateApplication = "NSWorkspaceDidDeactivateApplicationNotification"
        /// The app was hidden.
        case didHideApplication = "NSWorkspaceDidHideApplicationNotification"
        /// The app was unhidden.
        case didUnhideApplication = "NSWorkspaceDidUnhideApplicationNotification"

        /// The raw value.
        public var name: Notification.Name { Notification.Name(rawValue) }

        /// Creates a notification like AppKit's, but without an object.
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
        /// The URL at which the volume is mounted.
        public var url: URL

        /// The name of the volume.
        public var localizedName: String?

        private enum CodingKeys: String, CodingKey {
            case url = "NSWorkspaceVolumeURLKey"
            case localizedName = "NSWorkspaceVolumeLocalizedNameKey"
        }

        /// Creates the description of a volume from its properties.
        public init(url: URL, localizedName: String? = nil) {
            self.url = url
            self.localizedName = localizedName
        }
    }

    /// The events of a volume, posted on the main thread, on `NSWorkspace.shared.notificationCenter`.
    @nonexhaustive
    public enum NSWorkspaceVolumeNotification: String, MainActorNotificationDescriptor, CaseIterable {
        /// The volume was mounted.
        case didMount = "NSWorkspaceDidMountNotification"
        /// The volume is about to be unmounted.
        case willUnmount = "NSWorkspaceWillUnmountNotification"
        /// The volume was unmounted.
        case didUnmount = "NSWorkspaceDidUnmountNotification"

        /// The raw value.
        public var name: Notification.Name { Notification.Name(rawValue) }

        /// Creates a notification like AppKit's, but without an object.
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
