// swift-format-ignore-file
//
// The part of WatchKit's interface that the package uses. See UIKit.swift.

@_exported public import Foundation

@MainActor open class WKExtension {
    public nonisolated static let applicationDidFinishLaunchingNotification = Notification.Name("")
    public nonisolated static let applicationDidBecomeActiveNotification = Notification.Name("")
    public nonisolated static let applicationWillResignActiveNotification = Notification.Name("")
    public nonisolated static let applicationWillEnterForegroundNotification = Notification.Name("")
    public nonisolated static let applicationDidEnterBackgroundNotification = Notification.Name("")
}
