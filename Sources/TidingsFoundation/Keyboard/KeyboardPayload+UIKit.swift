#if canImport(UIKit) && !os(watchOS)
    public import UIKit

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
