// swift-format-ignore-file
// The part of Core Data's interface that the package uses. See UIKit.swift.

@_exported public import Foundation

open class NSManagedObject: NSObject {}
open class NSManagedObjectID: NSObject, @unchecked Sendable {}
open class NSPersistentHistoryToken: NSObject {}
open class NSPersistentStoreCoordinator: NSObject {}

open class NSManagedObjectContext: NSObject {
    public class var didSaveObjectIDsNotification: Notification.Name { Notification.Name("didSaveObjectIDs") }
}

extension Notification.Name {
    public static let NSManagedObjectContextWillSave = Notification.Name("willSave")
    public static let NSManagedObjectContextDidSave = Notification.Name("didSave")
    public static let NSManagedObjectContextObjectsDidChange = Notification.Name("objectsDidChange")
    public static let NSPersistentStoreRemoteChange = Notification.Name("remoteChange")
}
