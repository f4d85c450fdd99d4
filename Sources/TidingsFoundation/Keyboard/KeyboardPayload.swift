public import Foundation

#if canImport(UIKit) && !os(watchOS)
    public import UIKit
#endif

/// The data of a keyboard notification: the frames of the keyboard before and after the change, and the animation.
public struct KeyboardPayload: Codable, Equatable, Sendable {
    /// The frame of the keyboard before the change, in points, in screen coordinates.
    public var startingFrame: CGRect

    /// The frame of the keyboard after the change, in points, in screen coordinates.
    public var endingFrame: CGRect

    /// The duration of the animation, in seconds.
    public var animationDuration: TimeInterval

    /// The curve of the animation.
    public var animationCurve: AnimationCurve

    /// Whether the keyboard belongs to this app, rather than to another app on the same screen.
    public var isLocal: Bool

    private enum CodingKeys: String, CodingKey {
        case startingFrame = "UIKeyboardFrameBeginUserInfoKey"
        case endingFrame = "UIKeyboardFrameEndUserInfoKey"
        case animationDuration = "UIKeyboardAnimationDurationUserInfoKey"
        case animationCurve = "UIKeyboardAnimationCurveUserInfoKey"
        case isLocal = "UIKeyboardIsLocalUserInfoKey"
    }

    /// Creates the data of a keyboard notification from its properties.
    public init(
        startingFrame: CGRect, endingFrame: CGRect, animationDuration: TimeInterval, animationCurve: AnimationCurve,
        isLocal: Bool
    ) {
        self.startingFrame = startingFrame
        self.endingFrame = endingFrame
        self.animationDuration = animationDuration
        self.animationCurve = animationCurve
        self.isLocal = isLocal
    }
}

extension KeyboardPayload {
    /// The curve of an animation, as UIKit's number for it.
    public struct AnimationCurve: RawRepresentable, Codable, Hashable, Sendable {
        /// UIKit's number.
        public let rawValue: Int

        /// Creates a curve from any of UIKit's numbers, even a number for which this type has no constant.
        ///
        /// - Parameter rawValue: The number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Begins and ends slowly.
        public static let easeInOut = AnimationCurve(rawValue: 0)
        /// Begins slowly.
        public static let easeIn = AnimationCurve(rawValue: 1)
        /// Ends slowly.
        public static let easeOut = AnimationCurve(rawValue: 2)
        /// Has a constant speed.
        public static let linear = AnimationCurve(rawValue: 3)
        /// The keyboard's own curve, which UIKit uses and doesn't document.
        public static let keyboard = AnimationCurve(rawValue: 7)
    }
}

#if canImport(UIKit) && !os(watchOS)
    extension KeyboardPayload {
        /// Animates changes of views along with the keyboard, with the same duration and curve.
        ///
        /// Call this method in an observer of ``KeyboardNotification``, during the post. If you call it later, the
        /// keyboard moves before the views.
        ///
        /// - Parameters:
        ///   - animations: Makes the changes.
        ///   - completion: Called when the animation has ended, with `false` if the animation was interrupted.
        @MainActor
        public func animate(
            _ animations: @escaping @MainActor () -> Void, completion: (@MainActor (Bool) -> Void)? = nil
        ) {
            let options: UIView.AnimationOptions = [UIView.AnimationOptions(animationCurve), .beginFromCurrentState]
            UIView.animate(
                withDuration: animationDuration, delay: 0, options: options, animations: { animations() },
                completion: { isFinished in completion?(isFinished) })
        }
    }

    extension UIView.AnimationCurve {
        /// Creates UIKit's value for the curve of a keyboard notification.
        ///
        /// - Parameter curve: The curve.
        public init?(_ curve: KeyboardPayload.AnimationCurve) {
            self.init(rawValue: curve.rawValue)
        }
    }

    extension UIView.AnimationOptions {
        /// Creates the animation option for the curve of a keyboard notification. Undocumented curves are supported.
        ///
        /// - Parameter curve: The curve.
        public init(_ curve: KeyboardPayload.AnimationCurve) {
            // UIKit stores the number of the curve in these bits.
            self.init(rawValue: UInt(truncatingIfNeeded: curve.rawValue) << 16)
        }
    }
#endif
