#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    // The names are the SDK's constants. The contents of the notifications come from Apple's documentation, and haven't
    // been verified on Apple's systems.

    extension UIContentSizeCategory {
        /// The user has chosen another text size: `UIContentSizeCategory.didChangeNotification`. Posted on the main
        /// thread.
        public struct DidChange: MainActorBridgedNotification, Codable, Sendable {
            /// The name of the notification.
            public static var name: String { UIContentSizeCategory.didChangeNotification.rawValue }

            /// The form that writes the category as its raw value, as UIKit does.
            public static let userInfoForm = UserInfoForm.objects

            /// The new size, or `nil` if UIKit doesn't provide it.
            @UserInfoValue public var newValue: UIContentSizeCategory?

            enum CodingKeys: String, CodingKey { case newValue = "UIContentSizeCategoryNewValueKey" }

            /// Creates the notification of a new size.
            public init(newValue: UIContentSizeCategory?) { self.newValue = newValue }
        }
    }

    /// The accessibility settings that the user can switch on or off: `UIAccessibility`'s notifications, which are
    /// posted on the main thread. Read the new value from `UIAccessibility`.
    @nonexhaustive
    public enum UIAccessibilityNotification: MainActorNotificationDescriptor, CaseIterable {
        /// VoiceOver was switched on or off.
        case voiceOverStatusDidChange
        /// Switch Control was switched on or off.
        case switchControlStatusDidChange
        /// Guided Access was switched on or off.
        case guidedAccessStatusDidChange
        /// Bold text was switched on or off.
        case boldTextStatusDidChange
        /// Increase Contrast was switched on or off.
        case darkerSystemColorsStatusDidChange
        /// Reduce Transparency was switched on or off.
        case reduceTransparencyStatusDidChange
        /// Reduce Motion was switched on or off.
        case reduceMotionStatusDidChange
        /// Grayscale was switched on or off.
        case grayscaleStatusDidChange
        /// Inverted colors were switched on or off.
        case invertColorsStatusDidChange
        /// Captions were switched on or off.
        case closedCaptioningStatusDidChange
        /// Mono audio was switched on or off.
        case monoAudioStatusDidChange

        /// The name of the notification.
        public var name: Notification.Name {
            switch self {
            case .voiceOverStatusDidChange: UIAccessibility.voiceOverStatusDidChangeNotification
            case .switchControlStatusDidChange: UIAccessibility.switchControlStatusDidChangeNotification
            case .guidedAccessStatusDidChange: UIAccessibility.guidedAccessStatusDidChangeNotification
            case .boldTextStatusDidChange: UIAccessibility.boldTextStatusDidChangeNotification
            case .darkerSystemColorsStatusDidChange: UIAccessibility.darkerSystemColorsStatusDidChangeNotification
            case .reduceTransparencyStatusDidChange: UIAccessibility.reduceTransparencyStatusDidChangeNotification
            case .reduceMotionStatusDidChange: UIAccessibility.reduceMotionStatusDidChangeNotification
            case .grayscaleStatusDidChange: UIAccessibility.grayscaleStatusDidChangeNotification
            case .invertColorsStatusDidChange: UIAccessibility.invertColorsStatusDidChangeNotification
            case .closedCaptioningStatusDidChange: UIAccessibility.closedCaptioningStatusDidChangeNotification
            case .monoAudioStatusDidChange: UIAccessibility.monoAudioStatusDidChangeNotification
            }
        }

        /// Creates the notification, which consists only of its name.
        public func encode(_ payload: Void) throws(NotificationEncodingError) -> Notification {
            Notification(name: name)
        }

        /// Returns without reading anything, because the notification has no data.
        public func decode(_ notification: Notification) throws(NotificationDecodingError) {}
    }
#endif
