public import Foundation

// Notifications whose names exist on every platform. Those that are posted on Linux are tested there with real posts.

extension FileHandle {
    /// A file handle has read the available data, after `readInBackgroundAndNotify()`:
    /// `FileHandle.readCompletionNotification`. Posted on the thread that made the request; on Linux, on the main one.
    public struct ReadCompleted: BridgedNotification, Codable, Sendable {
        /// The name of the notification.
        public static var name: String { FileHandle.readCompletionNotification.rawValue }

        /// The file handle.
        @NotificationSender public var sender: FileHandle

        /// The data that was read; empty at the end of the file.
        public var data: Data?

        /// The error number, as in `errno`; `nil` if there was no error.
        public var error: Int?

        private enum CodingKeys: String, CodingKey {
            case sender
            case data = "NSFileHandleNotificationDataItem"
            case error = "NSFileHandleError"
        }

        /// Creates the notification from its properties.
        public init(sender: FileHandle, data: Data? = nil, error: Int? = nil) {
            self.sender = sender
            self.data = data
            self.error = error
        }
    }

    /// A file handle has read to the end of the file, after `readToEndOfFileInBackgroundAndNotify()`:
    /// `NSFileHandleReadToEndOfFileCompletion`. Posted on the thread that made the request; on Linux, on the main one.
    public struct ReadToEndOfFile: BridgedNotification, Codable, Sendable {
        /// The name of the notification.
        public static var name: String { Notification.Name.NSFileHandleReadToEndOfFileCompletion.rawValue }

        /// The file handle.
        @NotificationSender public var sender: FileHandle

        /// The data that was read; empty if there was none.
        public var data: Data?

        /// The error number, as in `errno`; `nil` if there was no error.
        public var error: Int?

        private enum CodingKeys: String, CodingKey {
            case sender
            case data = "NSFileHandleNotificationDataItem"
            case error = "NSFileHandleError"
        }

        /// Creates the notification from its properties.
        public init(sender: FileHandle, data: Data? = nil, error: Int? = nil) {
            self.sender = sender
            self.data = data
            self.error = error
        }
    }

    /// The file handle of a socket has accepted a connection, after `acceptConnectionInBackgroundAndNotify()`:
    /// `NSFileHandleConnectionAccepted`. Posted on the thread that made the request; on Linux, on the main thread.
    public struct ConnectionAccepted: BridgedNotification, Codable, Sendable {
        /// The name of the notification.
        public static var name: String { Notification.Name.NSFileHandleConnectionAccepted.rawValue }

        /// The file handle that listens.
        @NotificationSender public var sender: FileHandle

        /// The file handle of the connection. On Linux, Foundation omits it.
        @UserInfoValue public var connection: FileHandle?

        /// The error number, as in `errno`; `nil` if there was no error.
        public var error: Int?

        private enum CodingKeys: String, CodingKey {
            case sender
            case connection = "NSFileHandleNotificationFileHandleItem"
            case error = "NSFileHandleError"
        }

        /// Creates the notification from its properties.
        public init(sender: FileHandle, connection: FileHandle? = nil, error: Int? = nil) {
            self.sender = sender
            self.connection = connection
            self.error = error
        }
    }

    /// Data is available, after `waitForDataInBackgroundAndNotify()`: `NSFileHandleDataAvailable`. Posted on the thread
    /// that made the request; on Linux, on the main thread.
    public struct DataAvailable: BridgedNotification, Codable, Sendable {
        /// The name of the notification.
        public static var name: String { Notification.Name.NSFileHandleDataAvailable.rawValue }

        /// The file handle.
        @NotificationSender public var sender: FileHandle

        /// Creates the notification of a file handle.
        public init(sender: FileHandle) { self.sender = sender }
    }
}

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    extension Process {
        /// A process has terminated: `Process.didTerminateNotification`. Posted on the thread that launched the
        /// process. Not posted on Linux.
        public struct DidTerminate: BridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { Process.didTerminateNotification.rawValue }

            /// The process.
            @NotificationSender public var sender: Process

            /// Creates the notification of a process.
            public init(sender: Process) { self.sender = sender }
        }
    }
#endif

extension UserDefaults {
    /// A value in the user's defaults was changed in this process: `UserDefaults.didChangeNotification`. Posted on the
    /// thread that changed the value. Not posted on Linux.
    public struct DidChange: BridgedNotification, Codable {
        /// The name of the notification.
        public static var name: String { UserDefaults.didChangeNotification.rawValue }

        /// The defaults.
        @NotificationSender public var sender: UserDefaults

        /// Creates the notification of a `UserDefaults` object.
        public init(sender: UserDefaults) { self.sender = sender }
    }
}

extension Locale {
    /// The locale has changed: `NSLocale.currentLocaleDidChangeNotification`. Posted on any thread. Not posted on
    /// Linux.
    public struct CurrentDidChange: BridgedNotification, Codable, Sendable {
        /// The name of the notification.
        public static var name: String { NSLocale.currentLocaleDidChangeNotification.rawValue }

        /// Creates the notification.
        public init() {}
    }
}

extension TimeZone {
    /// The system's time zone was changed: `NSSystemTimeZoneDidChange`. Posted on any thread. Not posted on Linux.
    public struct SystemDidChange: BridgedNotification, Codable, Sendable {
        /// The name of the notification.
        public static var name: String { Notification.Name.NSSystemTimeZoneDidChange.rawValue }

        /// Creates the notification.
        public init() {}
    }
}

extension Calendar {
    /// The day has changed in the user's calendar and time zone: `NSCalendarDayChanged`. Posted on any thread. Not
    /// posted on Linux.
    public struct DayChanged: BridgedNotification, Codable, Sendable {
        /// The name of the notification.
        public static var name: String { Notification.Name.NSCalendarDayChanged.rawValue }

        /// Creates the notification.
        public init() {}
    }
}

extension Date {
    /// The system's clock was set: `NSSystemClockDidChange`. Posted on any thread. Not posted on Linux.
    public struct SystemClockDidChange: BridgedNotification, Codable, Sendable {
        /// The name of the notification.
        public static var name: String { "NSSystemClockDidChangeNotification" }

        /// Creates the notification.
        public init() {}
    }
}

extension Thread {
    /// A thread is about to exit: `NSThreadWillExit`. Posted on that thread. Not posted on Linux.
    public struct WillExit: BridgedNotification, Codable {
        /// The name of the notification.
        public static var name: String { Notification.Name.NSThreadWillExit.rawValue }

        /// The thread.
        @NotificationSender public var sender: Thread

        /// Creates the notification of a thread.
        public init(sender: Thread) { self.sender = sender }
    }
}

extension Bundle {
    /// A bundle has loaded code: `Bundle.didLoadNotification`. Posted on the thread that loaded it. Not posted on
    /// Linux.
    public struct DidLoad: BridgedNotification, Codable {
        /// The name of the notification.
        public static var name: String { "NSBundleDidLoadNotification" }

        /// The bundle.
        @NotificationSender public var sender: Bundle

        /// The names of the classes that were loaded.
        public var loadedClasses: [String]

        private enum CodingKeys: String, CodingKey {
            case sender
            case loadedClasses = "NSLoadedClasses"
        }

        /// Creates the notification from its properties.
        public init(sender: Bundle, loadedClasses: [String]) {
            self.sender = sender
            self.loadedClasses = loadedClasses
        }
    }
}

/// Cookies in a storage were changed: `NSHTTPCookieManagerCookiesChanged`. Posted on any thread. Not posted on Linux.
public struct HTTPCookiesChanged: BridgedNotification, Codable {
    /// The name of the notification.
    public static var name: String { "NSHTTPCookieManagerCookiesChangedNotification" }

    /// The `HTTPCookieStorage`. On Linux its class is in `FoundationNetworking`, which this module doesn't import.
    @NotificationSender public var sender: AnyObject

    /// Creates the notification of an `HTTPCookieStorage`.
    public init(sender: AnyObject) { self.sender = sender }
}

/// A storage's accept policy has changed: `NSHTTPCookieManagerAcceptPolicyChanged`. Posted on any thread. Not posted on
/// Linux.
public struct HTTPCookieAcceptPolicyChanged: BridgedNotification, Codable {
    /// The name of the notification.
    public static var name: String { "NSHTTPCookieManagerAcceptPolicyChangedNotification" }

    /// The `HTTPCookieStorage`. On Linux its class is in `FoundationNetworking`, which this module doesn't import.
    @NotificationSender public var sender: AnyObject

    /// Creates the notification of an `HTTPCookieStorage`.
    public init(sender: AnyObject) { self.sender = sender }
}
