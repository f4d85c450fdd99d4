#if canImport(CoreData)
    public import CoreData

    extension NSManagedObjectContext {
        /// A context is about to save: `NSManagedObjectContextWillSave`. Posted on the queue of the context. The
        /// context and its objects can only be used there.
        public struct WillSave: BridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { Notification.Name.NSManagedObjectContextWillSave.rawValue }

            /// The context.
            @NotificationSender public var sender: NSManagedObjectContext

            /// Creates the notification of a context.
            public init(sender: NSManagedObjectContext) { self.sender = sender }
        }

        /// A context has saved: `NSManagedObjectContextDidSave`. Posted on the queue of the context. The context and
        /// its objects can only be used there.
        public struct DidSave: BridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { Notification.Name.NSManagedObjectContextDidSave.rawValue }

            /// The context.
            @NotificationSender public var sender: NSManagedObjectContext

            /// The inserted objects.
            @UserInfoValue public var inserted: Set<NSManagedObject>?

            /// The updated objects.
            @UserInfoValue public var updated: Set<NSManagedObject>?

            /// The deleted objects.
            @UserInfoValue public var deleted: Set<NSManagedObject>?

            /// Creates the notification from its properties.
            public init(
                sender: NSManagedObjectContext, inserted: Set<NSManagedObject>? = nil,
                updated: Set<NSManagedObject>? = nil, deleted: Set<NSManagedObject>? = nil
            ) {
                self.sender = sender
                self.inserted = inserted
                self.updated = updated
                self.deleted = deleted
            }
        }

        /// Objects in a context were changed: `NSManagedObjectContextObjectsDidChange`. Posted on the queue of the
        /// context. The context and its objects can only be used there.
        public struct ObjectsDidChange: BridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { Notification.Name.NSManagedObjectContextObjectsDidChange.rawValue }

            /// The context.
            @NotificationSender public var sender: NSManagedObjectContext

            /// The inserted objects.
            @UserInfoValue public var inserted: Set<NSManagedObject>?

            /// The updated objects.
            @UserInfoValue public var updated: Set<NSManagedObject>?

            /// The deleted objects.
            @UserInfoValue public var deleted: Set<NSManagedObject>?

            /// The objects that were refreshed without having been changed in this context.
            @UserInfoValue public var refreshed: Set<NSManagedObject>?

            /// The objects that are no longer valid.
            @UserInfoValue public var invalidated: Set<NSManagedObject>?

            /// Creates the notification from its properties.
            public init(
                sender: NSManagedObjectContext, inserted: Set<NSManagedObject>? = nil,
                updated: Set<NSManagedObject>? = nil, deleted: Set<NSManagedObject>? = nil,
                refreshed: Set<NSManagedObject>? = nil, invalidated: Set<NSManagedObject>? = nil
            ) {
                self.sender = sender
                self.inserted = inserted
                self.updated = updated
                self.deleted = deleted
                self.refreshed = refreshed
                self.invalidated = invalidated
            }
        }

        /// A context has saved: `NSManagedObjectContext.didSaveObjectIDsNotification`. Posted on the queue of the
        /// context. The context can only be used there, but the identifiers can be used anywhere.
        public struct DidSaveObjectIDs: BridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { NSManagedObjectContext.didSaveObjectIDsNotification.rawValue }

            /// The context.
            @NotificationSender public var sender: NSManagedObjectContext

            /// The identifiers of the inserted objects.
            @UserInfoValue public var inserted: Set<NSManagedObjectID>?

            /// The identifiers of the updated objects.
            @UserInfoValue public var updated: Set<NSManagedObjectID>?

            /// The identifiers of the deleted objects.
            @UserInfoValue public var deleted: Set<NSManagedObjectID>?

            private enum CodingKeys: String, CodingKey {
                case sender
                case inserted = "inserted_objectIDs"
                case updated = "updated_objectIDs"
                case deleted = "deleted_objectIDs"
            }

            /// Creates the notification from its properties.
            public init(
                sender: NSManagedObjectContext, inserted: Set<NSManagedObjectID>? = nil,
                updated: Set<NSManagedObjectID>? = nil, deleted: Set<NSManagedObjectID>? = nil
            ) {
                self.sender = sender
                self.inserted = inserted
                self.updated = updated
                self.deleted = deleted
            }
        }
    }

    extension NSPersistentStoreCoordinator {
        /// Another context or process has written to a store: `NSPersistentStoreRemoteChange`. Posted on any thread.
        public struct RemoteChange: BridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { Notification.Name.NSPersistentStoreRemoteChange.rawValue }

            /// The coordinator of the store.
            @NotificationSender public var sender: NSPersistentStoreCoordinator

            /// The URL of the store.
            public var storeURL: URL?

            /// The identifier of the store.
            public var storeUUID: String?

            /// The position of the change in the store's history, if the store has one.
            @UserInfoValue public var historyToken: NSPersistentHistoryToken?

            private enum CodingKeys: String, CodingKey {
                case sender, storeURL, historyToken
                case storeUUID = "NSStoreUUID"
            }

            /// Creates the notification from its properties.
            public init(
                sender: NSPersistentStoreCoordinator, storeURL: URL? = nil, storeUUID: String? = nil,
                historyToken: NSPersistentHistoryToken? = nil
            ) {
                self.sender = sender
                self.storeURL = storeURL
                self.storeUUID = storeUUID
                self.historyToken = historyToken
            }
        }
    }
#endif
