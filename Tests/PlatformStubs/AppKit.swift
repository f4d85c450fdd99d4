// swift-format-ignore-file
//
// As much of AppKit's interface as the package uses, see UIKit.swift.

@_exported public import Foundation

@MainActor open class NSResponder {}
@MainActor open class NSWindow: NSResponder {}
@MainActor open class NSApplication: NSResponder {}
open class NSWorkspace {}
open class NSRunningApplication {}
