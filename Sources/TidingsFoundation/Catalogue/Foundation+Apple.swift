#if canImport(Darwin) || canImport(AppleFoundationStub)
    #if canImport(AppleFoundationStub)
        public import AppleFoundationStub
        import Foundation
    #else
        public import Foundation
    #endif

    /// The events of an undo manager: its notifications, which are posted on the main thread.
    @nonexhaustive
    public enum UndoManagerNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the UndoManager.
        public typealias Payload = UndoManager

        /// A group is about to be opened or closed, or the undo manager's `canRedo` was read.
        case checkpoint = "NSUndoManagerCheckpointNotification"
        /// A group was opened.
        case didOpenGroup = "NSUndoManagerDidOpenUndoGroupNotification"
        /// A group is about to be closed.
        case willCloseGroup = "NSUndoManagerWillCloseUndoGroupNotification"
        /// A group was closed.
        case didCloseGroup = "NSUndoManagerDidCloseUndoGroupNotification"
        /// A change is about to be undone.
        case willUndo = "NSUndoManagerWillUndoChangeNotification"
        /// A change was undone.
        case didUndo = "NSUndoManagerDidUndoChangeNotification"
        /// A change is about to be redone.
        case willRedo = "NSUndoManagerWillRedoChangeNotification"
        /// A change was redone.
        case didRedo = "NSUndoManagerDidRedoChangeNotification"
    }

    extension NSUbiquitousKeyValueStore {
        /// Values in the iCloud key-value store were changed by another device:
        /// `NSUbiquitousKeyValueStore.didChangeExternallyNotification`. Posted on any thread.
        public struct DidChangeExternally: BridgedNotification, Codable {
            /// The reason why values in the store were changed.
            @nonexhaustive
            public enum Reason: Int, Codable, Sendable {
                /// The server has newer values.
                case serverChange
                /// The values of the server were downloaded for the first time.
                case initialSync
                /// The store exceeds its quota.
                case quotaViolation
                /// The user has changed the account.
                case accountChange
            }

            /// The name of the notification.
            public static var name: String { "NSUbiquitousKeyValueStoreDidChangeExternallyNotification" }

            /// The store.
            @NotificationSender public var sender: NSUbiquitousKeyValueStore

            /// The reason for the change.
            public var reason: Reason?

            /// The keys whose values were changed.
            public var changedKeys: [String]?

            private enum CodingKeys: String, CodingKey {
                case sender
                case reason = "NSUbiquitousKeyValueStoreChangeReasonKey"
                case changedKeys = "NSUbiquitousKeyValueStoreChangedKeysKey"
            }

            /// Creates the notification from its properties.
            public init(sender: NSUbiquitousKeyValueStore, reason: Reason? = nil, changedKeys: [String]? = nil) {
                self.sender = sender
                self.reason = reason
                self.changedKeys = changedKeys
            }
        }
    }
#endif
