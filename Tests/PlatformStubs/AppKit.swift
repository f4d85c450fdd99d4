// swift-format-ignore-file
// The part of AppKit's interface that the package uses. See UIKit.swift.

@_exported public import Foundation

@MainActor open class NSResponder {}
@MainActor open class NSWindow: NSResponder {}
@MainActor open class NSView: NSResponder {}
@MainActor open class NSApplication: NSResponder {}
open class NSWorkspace {}
open class NSRunningApplication {}
