// swift-format-ignore-file
// The part of UIKit's interface that the package uses, so that code inside `#if canImport(UIKit)` is type-checked on
// machines without UIKit. The stubs are compiled, but never run.

@_exported public import Foundation

@MainActor
open class UIView {
    public nonisolated enum AnimationCurve: Int, Sendable {
        case easeInOut, easeIn, easeOut, linear
    }

    public nonisolated struct AnimationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
    }

    public init() {}

    open class func animate(
        withDuration duration: TimeInterval, delay: TimeInterval, options: AnimationOptions = [],
        animations: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
    ) {}
}

@MainActor open class UIResponder {}
@MainActor open class UIApplication: UIResponder {}
@MainActor open class UIScene: UIResponder {}
@MainActor open class UIDevice {}
@MainActor open class UITextField {}
@MainActor open class UITextView {}
@MainActor open class UITextInputMode {}

open class NSTextStorage {}

public struct UIContentSizeCategory: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let didChangeNotification = Notification.Name("")
}

public enum UIAccessibility {
    public static let voiceOverStatusDidChangeNotification = Notification.Name("")
    public static let switchControlStatusDidChangeNotification = Notification.Name("")
    public static let guidedAccessStatusDidChangeNotification = Notification.Name("")
    public static let boldTextStatusDidChangeNotification = Notification.Name("")
    public static let darkerSystemColorsStatusDidChangeNotification = Notification.Name("")
    public static let reduceTransparencyStatusDidChangeNotification = Notification.Name("")
    public static let reduceMotionStatusDidChangeNotification = Notification.Name("")
    public static let grayscaleStatusDidChangeNotification = Notification.Name("")
    public static let invertColorsStatusDidChangeNotification = Notification.Name("")
    public static let closedCaptioningStatusDidChangeNotification = Notification.Name("")
    public static let monoAudioStatusDidChangeNotification = Notification.Name("")
}
