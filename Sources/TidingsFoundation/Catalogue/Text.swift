#if canImport(UIKit) && !os(watchOS)
    public import UIKit
#elseif canImport(AppKit)
    public import AppKit
#endif

#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
    /// The notifications of `NSTextStorage`, which are posted on the thread that edits the text. Text on the screen is
    /// edited on the main thread. The names and the type of the object come from Apple's documentation, and haven't
    /// been verified on Apple's systems.
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
