#if canImport(CoreData)
    public import CoreData

    // What Core Data posts.

    extension NSManagedObjectContext {
        /// A context is about to save: `NSManagedObjectContextWillSave`. Posted on the queue of the context,
        /// where alone it and its objects may be used.
        public struct WillSave: BridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { Notification.Name.NSManagedObjectContextWillSave.rawValue }

            /// The context.
            @NotificationSender public var sender: NSManagedObjectContext

            /// Makes the notification.
            ///
            /// - Parameter sender: The context.
            public init(sender: NSManagedObjectContext) { self.sender = sender }
        }

        /// A context has saved: `NSManagedObjectContextDidSave`. Posted on the queue of the context, where
        /// alone it and its objects may be used.
        public struct DidSave: BridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { Notification.Name.NSManagedObjectContextDidSave.rawValue }

            /// The context.
            @NotificationSender public var sender: NSManagedObjectContext

            /// The objects that are new.
            @UserInfoValue public var inserted: Set<NSManagedObject>?

            /// The objects that were changed.
            @UserInfoValue public var updated: Set<NSManagedObject>?

            /// The objects that are gone.
            @UserInfoValue public var deleted: Set<NSManagedObject>?

            private enum CodingKeys: String, CodingKey {
                case sender
                case inserted = "inserted"
                case updated = "updated"
                case deleted = "deleted"
            }

            /// Makes the notification.
            ///
            /// - Parameters:
            ///   - sender: The context.
            ///   - inserted: The objects that are new.
            ///   - updated: The objects that were changed.
            ///   - deleted: The objects that are gone.
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

        /// Objects in a context were changed: `NSManagedObjectContextObjectsDidChange`. Posted on the queue
        /// of the context, where alone it and its objects may be used.
        public struct ObjectsDidChange: BridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { Notification.Name.NSManagedObjectContextObjectsDidChange.rawValue }

            /// The context.
            @NotificationSender public var sender: NSManagedObjectContext

            /// The objects that are new.
            @UserInfoValue public var inserted: Set<NSManagedObject>?

            /// The objects that were changed.
            @UserInfoValue public var updated: Set<NSManagedObject>?

            /// The objects that are gone.
            @UserInfoValue public var deleted: Set<NSManagedObject>?

            /// The objects that were read again without having been changed here.
            @UserInfoValue public var refreshed: Set<NSManagedObject>?

            /// The objects that can no longer be used.
            @UserInfoValue public var invalidated: Set<NSManagedObject>?

            private enum CodingKeys: String, CodingKey {
                case sender
                case inserted = "inserted"
                case updated = "updated"
                case deleted = "deleted"
                case refreshed = "refreshed"
                case invalidated = "invalidated"
            }

            /// Makes the notification.
            ///
            /// - Parameters:
            ///   - sender: The context.
            ///   - inserted: The objects that are new.
            ///   - updated: The objects that were changed.
            ///   - deleted: The objects that are gone.
            ///   - refreshed: The objects that were read again without having been changed here.
            ///   - invalidated: The objects that can no longer be used.
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

        /// A context has saved: `NSManagedObjectContext.didSaveObjectIDsNotification`. Posted on the queue of
        /// the context, where alone it and its objects may be used. The identifiers may be used anywhere.
        public struct DidSaveObjectIDs: BridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { NSManagedObjectContext.didSaveObjectIDsNotification.rawValue }

            /// The context.
            @NotificationSender public var sender: NSManagedObjectContext

            /// The identifiers of the objects that are new.
            @UserInfoValue public var inserted: Set<NSManagedObjectID>?

            /// The identifiers of the objects that were changed.
            @UserInfoValue public var updated: Set<NSManagedObjectID>?

            /// The identifiers of the objects that are gone.
            @UserInfoValue public var deleted: Set<NSManagedObjectID>?

            private enum CodingKeys: String, CodingKey {
                case sender
                case inserted = "inserted_objectIDs"
                case updated = "updated_objectIDs"
                case deleted = "deleted_objectIDs"
            }

            /// Makes the notification.
            ///
            /// - Parameters:
            ///   - sender: The context.
            ///   - inserted: The identifiers of the objects that are new.
            ///   - updated: The identifiers of the objects that were changed.
            ///   - deleted: The identifiers of the objects that are gone.
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

            /// Where the store is.
            public var storeURL: URL?

            /// The identifier of the store.
            public var storeUUID: String?

            /// Where in the store's history the change is, if it has one.
            @UserInfoValue public var historyToken: NSPersistentHistoryToken?

            private enum CodingKeys: String, CodingKey {
                case sender
                case storeURL = "storeURL"
                case storeUUID = "NSStoreUUID"
                case historyToken = "historyToken"
            }

            /// Makes the notification.
            ///
            /// - Parameters:
            ///   - sender: The coordinator of the store.
            ///   - storeURL: Where the store is.
            ///   - storeUUID: The identifier of the store.
            ///   - historyToken: Where in the store's history the change is, if it has one.
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
