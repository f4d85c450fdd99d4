// swift-format-ignore-file
//
// As much of Foundation's interface on Apple's platforms as the package uses and Linux lacks, see UIKit.swift.

@_exported public import Foundation

@MainActor open class UndoManager {}
open class NSUbiquitousKeyValueStore: NSObject {}
open class DistributedNotificationCenter: NotificationCenter {
    open class func `default`() -> DistributedNotificationCenter { fatalError() }
}
