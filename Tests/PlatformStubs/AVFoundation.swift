// swift-format-ignore-file
// The part of AVFoundation's interface that the package uses. See UIKit.swift.

@_exported public import Foundation

open class AVAudioSessionRouteDescription: NSObject {}

open class AVAudioSession: NSObject {
    public enum InterruptionType: UInt, @unchecked Sendable {
        case began = 1
        case ended = 0
    }

    public struct InterruptionOptions: OptionSet, @unchecked Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public enum RouteChangeReason: UInt, @unchecked Sendable {
        case unknown = 0
        case newDeviceAvailable = 1
    }
}
