import Foundation
import Testing
import TidingsFoundation
import TidingsTesting

@MainActor
@Suite(.timeLimit(.minutes(2))) struct KeyboardTests {
    private let center = NotificationCenter()

    /// Returns a dictionary with the keys and the value types of UIKit's keyboard notifications.
    private func userInfo() -> [AnyHashable: Any] {
        [
            "UIKeyboardFrameBeginUserInfoKey": NSValue(rect: CGRect(x: 0, y: 844, width: 390, height: 336)),
            "UIKeyboardFrameEndUserInfoKey": NSValue(rect: CGRect(x: 0, y: 508, width: 390, height: 336)),
            "UIKeyboardCenterBeginUserInfoKey": NSValue(point: CGPoint(x: 195, y: 1_012)),
            "UIKeyboardAnimationDurationUserInfoKey": NSNumber(value: 0.25),
            "UIKeyboardAnimationCurveUserInfoKey": NSNumber(value: 7),
            "UIKeyboardIsLocalUserInfoKey": NSNumber(value: true),
        ]
    }

    private let payload = KeyboardPayload(
        startingFrame: CGRect(x: 0, y: 844, width: 390, height: 336),
        endingFrame: CGRect(x: 0, y: 508, width: 390, height: 336), animationDuration: 0.25, animationCurve: .keyboard,
        isLocal: true)

    @Test func `the keyboard notifications have UIKit's names`() {
        #expect(
            KeyboardNotification.allCases.map(\.name.rawValue) == [
                "UIKeyboardWillShowNotification", "UIKeyboardDidShowNotification", "UIKeyboardWillHideNotification",
                "UIKeyboardDidHideNotification", "UIKeyboardWillChangeFrameNotification",
                "UIKeyboardDidChangeFrameNotification",
            ])
    }

    @Test func `observers receive the userInfo dictionary of a UIKit post as a payload, during the post`() {
        var payloads: [KeyboardPayload] = []
        var tokens: [NotificationToken] = []
        center.addObserver(descriptor: KeyboardNotification.willShow) { payload in payloads.append(payload) }
            .store(in: &tokens)
        center.post(name: KeyboardNotification.willShow.name, object: nil, userInfo: userInfo())
        center.post(name: KeyboardNotification.willHide.name, object: nil, userInfo: userInfo())
        #expect(payloads == [payload])
    }

    @Test(arguments: KeyboardNotification.allCases)
    func `a posted payload is received by observers and can be read by untyped code`(event: KeyboardNotification) throws
    {
        var payloads: [KeyboardPayload] = []
        let classic = ReceivedValues<Double>()
        let receipt = center.addObserver(forName: event.name, object: nil, queue: nil) { notification in
            let info = notification.userInfo
            classic.append(Double((info?["UIKeyboardFrameEndUserInfoKey"] as? NSValue)?.rectValue.height ?? 0))
            classic.append((info?["UIKeyboardAnimationDurationUserInfoKey"] as? NSNumber)?.doubleValue ?? 0)
        }
        let token = center.addObserver(descriptor: event) { payload in payloads.append(payload) }
        try center.post(event, payload: payload)
        #expect(payloads == [payload])
        #expect(classic.values == [336, 0.25])
        withExtendedLifetime((receipt, token)) {}
    }

    @Test func `a userInfo dictionary with Swift values instead of Foundation objects is decoded`() throws {
        var info = userInfo()
        info["UIKeyboardFrameEndUserInfoKey"] = CGRect(x: 1, y: 2, width: 3, height: 4)
        info["UIKeyboardAnimationDurationUserInfoKey"] = 1
        info["UIKeyboardAnimationCurveUserInfoKey"] = 3
        info["UIKeyboardIsLocalUserInfoKey"] = false
        let decoded = try KeyboardNotification.didShow.decode(notification(info))
        #expect(decoded.endingFrame == CGRect(x: 1, y: 2, width: 3, height: 4))
        #expect(decoded.animationDuration == 1)
        #expect(decoded.animationCurve == .linear)
        #expect(!decoded.isLocal)
    }

    @Test(arguments: [
        ("UIKeyboardFrameBeginUserInfoKey", "CGRect", "CGRect"), ("UIKeyboardFrameEndUserInfoKey", "CGRect", "CGRect"),
        ("UIKeyboardAnimationDurationUserInfoKey", "Double", "Double"),
        ("UIKeyboardAnimationCurveUserInfoKey", "AnimationCurve", "Int"),
        ("UIKeyboardIsLocalUserInfoKey", "Bool", "Bool"),
    ])
    func `promise 9, bad input: a missing key, or a value of another type, throws a typed error`(
        key: String, type: String, scalar: String
    ) {
        var info = userInfo()
        info[key] = nil
        #expect(throws: error(key, .missing, expected: type, found: nil)) {
            try KeyboardNotification.willShow.decode(notification(info))
        }
        info[key] = "text"
        #expect(throws: error(key, .mistyped, expected: scalar, found: "String \"text\"")) {
            try KeyboardNotification.willShow.decode(notification(info))
        }
        info[key] = NSNull()
        #expect(throws: error(key, .mistyped, expected: scalar, found: "NSNull")) {
            try KeyboardNotification.willShow.decode(notification(info))
        }
    }

    @Test func `promise 9, bad input: an NSValue that contains a value of another type doesn't trap`() {
        for value in [NSValue(point: .zero), NSValue(size: .zero), NSNumber(value: 1), NSValue(range: NSRange())] {
            var info = userInfo()
            info["UIKeyboardFrameEndUserInfoKey"] = value
            let thrown = #expect(throws: NotificationDecodingError.self) {
                try KeyboardNotification.willShow.decode(notification(info))
            }
            #expect(thrown?.reason == .mistyped)
        }
    }

    @Test(arguments: [1.5, .nan, .infinity, 1e300])
    func `promise 9, bad input: a curve that isn't an integer doesn't trap`(curve: Double) {
        var info = userInfo()
        info["UIKeyboardAnimationCurveUserInfoKey"] = NSNumber(value: curve)
        let thrown = #expect(throws: NotificationDecodingError.self) {
            try KeyboardNotification.willShow.decode(notification(info))
        }
        #expect(thrown?.reason == .inexact)
    }

    @Test func `promise 9, bad input: the error for a post without a dictionary names the first key`() {
        var results: [Result<KeyboardPayload, NotificationDecodingError>] = []
        let token = center.addObserver(resultOf: KeyboardNotification.willShow) { results.append($0) }
        center.post(name: KeyboardNotification.willShow.name, object: nil)
        #expect(
            results == [.failure(error("UIKeyboardFrameBeginUserInfoKey", .missing, expected: "CGRect", found: nil))])
        withExtendedLifetime(token) {}
    }

    private func notification(_ userInfo: [AnyHashable: Any]) -> Notification {
        Notification(name: KeyboardNotification.willShow.name, object: nil, userInfo: userInfo)
    }

    private func error(
        _ key: String, _ reason: NotificationDecodingError.Reason, expected: String, found: String?
    ) -> NotificationDecodingError {
        NotificationDecodingError(
            notification: "UIKeyboardWillShowNotification", keyPath: [key], expected: expected, found: found,
            reason: reason)
    }
}
