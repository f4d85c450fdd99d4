import Foundation
import TidingsFoundation

/// Compares `UserInfoDecoder` with casts of the same values. The casts don't return an error that explains a problem.
extension Workload {
    static let decodeKeyboard = Workload(
        name: "decode the keyboard", parameterName: "entries", unit: .nanoseconds(per: "notification")
    ) {
        let notification = Notification(
            name: KeyboardNotification.willShow.name, object: nil, userInfo: userInfo)
        return [
            .reader(.tidings) { try? UserInfoDecoder().decode(KeyboardPayload.self, from: notification) },
            .reader(.casts) { casts(notification) },
        ]
    }

    private static var userInfo: [AnyHashable: Any] {
        [
            "UIKeyboardFrameBeginUserInfoKey": boxed(CGRect(x: 0, y: 844, width: 390, height: 336)),
            "UIKeyboardFrameEndUserInfoKey": boxed(CGRect(x: 0, y: 508, width: 390, height: 336)),
            "UIKeyboardCenterBeginUserInfoKey": boxed(CGRect(x: 195, y: 1_012, width: 0, height: 0)),
            "UIKeyboardAnimationDurationUserInfoKey": NSNumber(value: 0.25),
            "UIKeyboardAnimationCurveUserInfoKey": NSNumber(value: 7),
            "UIKeyboardIsLocalUserInfoKey": NSNumber(value: true),
        ]
    }

    private static func casts(_ notification: Notification) -> KeyboardPayload? {
        guard
            let userInfo = notification.userInfo,
            let startingFrame = rectangle(userInfo["UIKeyboardFrameBeginUserInfoKey"]),
            let endingFrame = rectangle(userInfo["UIKeyboardFrameEndUserInfoKey"]),
            let animationDuration = userInfo["UIKeyboardAnimationDurationUserInfoKey"] as? NSNumber,
            let animationCurve = userInfo["UIKeyboardAnimationCurveUserInfoKey"] as? NSNumber,
            let isLocal = userInfo["UIKeyboardIsLocalUserInfoKey"] as? NSNumber
        else { return nil }
        return KeyboardPayload(
            startingFrame: startingFrame, endingFrame: endingFrame, animationDuration: animationDuration.doubleValue,
            animationCurve: KeyboardPayload.AnimationCurve(rawValue: animationCurve.intValue),
            isLocal: isLocal.boolValue)
    }

    #if canImport(ObjectiveC)
        private static func boxed(_ rectangle: CGRect) -> Any { rectangle as NSValue }
        private static func rectangle(_ value: Any?) -> CGRect? { value as? CGRect }
    #else
        private static func boxed(_ rectangle: CGRect) -> Any { NSValue(rect: rectangle) }

        /// Traps if the value isn't a rectangle. A check would cost more than everything else.
        private static func rectangle(_ value: Any?) -> CGRect? { (value as? NSValue)?.rectValue }
    #endif
}

extension Subject {
    fileprivate static let casts = Subject("casts by hand")
}

extension Bar {
    static let decodeKeyboard = Bar("decode the keyboard", 6, .tidings, .atMost(3), .casts)
}

extension Contender {
    @MainActor
    fileprivate static func reader(_ subject: Subject, _ read: @escaping () -> KeyboardPayload?) -> Contender {
        Contender(subject: subject, parameter: 6) { count in
            var sum = 0
            let sample = Sample.onThread {
                for _ in 0..<count {
                    guard let payload = read() else { continue }
                    sum &+= Int(payload.endingFrame.origin.y) &+ payload.animationCurve.rawValue
                }
            }
            try Miscount.check(subject, sum, count * 515)
            return sample
        }
    }
}
