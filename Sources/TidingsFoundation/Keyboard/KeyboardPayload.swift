public import Foundation

#if canImport(UIKit) && !os(watchOS)
    public import UIKit
#endif

/// What a keyboard notification says: where the keyboard is, where it goes, and how it moves there.
public struct KeyboardPayload: Codable, Equatable, Sendable {
    /// The frame of the keyboard before the change, in points, in the coordinates of the screen.
    public var startingFrame: CGRect

    /// The frame of the keyboard after the change, in points, in the coordinates of the screen.
    public var endingFrame: CGRect

    /// How long the change takes, in seconds.
    public var animationDuration: TimeInterval

    /// How the change speeds up and slows down.
    public var animationCurve: AnimationCurve

    /// Whether the keyboard belongs to this app, and not to another one on the same screen.
    public var isLocal: Bool

    /// The keys of UIKit's `userInfo`.
    private enum CodingKeys: String, CodingKey {
        case startingFrame = "UIKeyboardFrameBeginUserInfoKey"
        case endingFrame = "UIKeyboardFrameEndUserInfoKey"
        case animationDuration = "UIKeyboardAnimationDurationUserInfoKey"
        case animationCurve = "UIKeyboardAnimationCurveUserInfoKey"
        case isLocal = "UIKeyboardIsLocalUserInfoKey"
    }

    /// Describes a change of the keyboard.
    ///
    /// - Parameters:
    ///   - startingFrame: The frame before the change, in points, in the coordinates of the screen.
    ///   - endingFrame: The frame after the change, in points, in the coordinates of the screen.
    ///   - animationDuration: How long the change takes, in seconds.
    ///   - animationCurve: How the change speeds up and slows down.
    ///   - isLocal: Whether the keyboard belongs to this app.
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
    /// How an animation speeds up and slows down, by UIKit's number for it.
    public struct AnimationCurve: RawRepresentable, Codable, Hashable, Sendable {
        /// UIKit's number.
        public let rawValue: Int

        /// Any number of UIKit's, also one that has no name here.
        ///
        /// - Parameter rawValue: The number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Begins and ends slowly.
        public static let easeInOut = AnimationCurve(rawValue: 0)
        /// Begins slowly.
        public static let easeIn = AnimationCurve(rawValue: 1)
        /// Ends slowly.
        public static let easeOut = AnimationCurve(rawValue: 2)
        /// Has the same speed throughout.
        public static let linear = AnimationCurve(rawValue: 3)
        /// The keyboard's own, which UIKit posts and does not document.
        public static let keyboard = AnimationCurve(rawValue: 7)
    }
}

#if canImport(UIKit) && !os(watchOS)
    extension KeyboardPayload {
        /// Animates changes of views along with the keyboard: as long as it takes, with its curve.
        ///
        /// Call it in the post, where observers of ``KeyboardNotification`` are called: later the keyboard is ahead.
        ///
        /// - Parameters:
        ///   - animations: Makes the changes.
        ///   - completion: Called when the animation has ended, with whether it came to its end.
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
        /// The curve of a keyboard notification, as UIKit's type.
        ///
        /// - Parameter curve: The curve.
        public init?(_ curve: KeyboardPayload.AnimationCurve) {
            self.init(rawValue: curve.rawValue)
        }
    }

    extension UIView.AnimationOptions {
        /// The curve of a keyboard notification, as an option of an animation. It holds the undocumented ones too.
        ///
        /// - Parameter curve: The curve.
        public init(_ curve: KeyboardPayload.AnimationCurve) {
            // UIKit keeps the number of the curve in these bits of the options.
            self.init(rawValue: UInt(truncatingIfNeeded: curve.rawValue) << 16)
        }
    }
#endif
