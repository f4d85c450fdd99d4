// swift-format-ignore-file
// The part of Foundation's interface on Apple platforms that the package uses and Linux lacks. See UIKit.swift.

@_exported public import Foundation

@MainActor open class UndoManager {}
open class NSUbiquitousKeyValueStore: NSObject {}
open class DistributedNotificationCenter: NotificationCenter {
    open class func `default`() -> DistributedNotificationCenter { fatalError() }
}
