#if canImport(UIKit) && !os(watchOS)
    public import UIKit
#elseif canImport(AppKit)
    public import AppKit
#endif

#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
    /// The notifications of `NSTextStorage`, which are posted on the thread that edits. For text on the screen, this is
    /// the main thread. The names and the object are taken from the documentation, and haven't been verified on Apple's
    /// systems.
    @nonexhaustive
    public enum NSTextStorageNotification: String, MainActorObjectDescriptor, CaseIterable {
        /// Observers receive the NSTextStorage.
        public typealias Payload = NSTextStorage

        /// Edits are about to be processed. Attributes can still be changed.
        case willProcessEditing = "NSTextStorageWillProcessEditingNotification"
        /// Edits were processed.
        case didProcessEditing = "NSTextStorageDidProcessEditingNotification"
    }
#endif
